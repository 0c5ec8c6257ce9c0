import { CLIENT_API, POD_API, POD_RANGE } from './run.ts';
import { run } from './command.ts';

/** Something whose packets can be dropped, both ways. */
export type Target =
  /** The API server, for clients outside of pods. The cluster's own parts still reach it. */
  | 'api'
  /** The API server, for clients in pods. */
  | 'api-from-pods'
  /** A server on the loopback: an emulator, Temporal. */
  | { readonly port: number };

/** Packets that are dropped until `restore`. */
export interface Cut {
  restore(): Promise<void>;
}

/**
 * Drops all packets to a target and back, of connections that are open too: nobody is told anything, as when a cable is
 * cut. Await `restore` in a `finally`.
 */
export async function dropTo(target: Target): Promise<Cut> {
  const rules = rulesOf(target);
  for (const rule of rules) await iptables('-I', rule);
  return {
    restore: async () => {
      for (const rule of rules) await iptables('-D', rule);
    },
  };
}

/** Drops packets to a target for so long, and ends when they flow again. */
export async function dropFor(target: Target, durationMs: number): Promise<void> {
  const cut = await dropTo(target);
  try {
    await new Promise((resolve) => setTimeout(resolve, durationMs));
  } finally {
    await cut.restore();
  }
}

function rulesOf(target: Target): readonly (readonly string[])[] {
  const drop = ['-j', 'DROP'];
  if (target === 'api-from-pods') {
    const where = ['-s', POD_RANGE, '-d', POD_API.address, '-p', 'tcp', '--dport', String(POD_API.port)];
    return [['INPUT', ...where, ...drop]];
  }
  const { address, port } = target === 'api' ? CLIENT_API : { address: '127.0.0.1', port: target.port };
  return [
    ['OUTPUT', '-d', address, '-p', 'tcp', '--dport', String(port), ...drop],
    ['OUTPUT', '-s', address, '-p', 'tcp', '--sport', String(port), ...drop],
  ];
}

async function iptables(action: '-I' | '-D', rule: readonly string[]): Promise<void> {
  const ended = await run('iptables', ['-w', action, ...rule]);
  if (ended.code !== 0) throw new Error(`iptables ${action} ${rule.join(' ')}: ${ended.stderr}`);
}

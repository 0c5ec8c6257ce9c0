import { fileURLToPath } from 'node:url';
import type { CapsuleSpec, HostIdentity } from '../host.ts';
import { CapsuleError } from '../capsule/capsule-error.ts';

/** Of a local host; in a pod the script lies where the transport put it. */
export const SAMPLER_SCRIPT = fileURLToPath(new URL('./sampler.sh', import.meta.url));

/** A sample is 400 to 900 bytes: this holds a day of them. */
const STDOUT_CAP_BYTES = 128 * 1024 * 1024;
const STDERR_CAP_BYTES = 64 * 1024;
/** What can stand in JSON, in an argument `name=where` and as a key of a bash array without quoting. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._:@-]*$/;

export interface SamplerOptions {
  /** The capsule's name on the host. */
  readonly name: string;
  /** Block device under the data (`vda`); null = unknown, and its readings are null. */
  readonly device: string | null;
  readonly netInterfaces: readonly string[];
  /**
   * Name in the samples → whose CPU: the absolute path of a capsule's `child` file (read anew each second: it may
   * come later and may change), or a pid (its start time is taken from the first sample).
   */
  readonly watch: Readonly<Record<string, string | number>>;
  readonly deadlineMs: number;
  readonly identity: HostIdentity;
  readonly script?: string;
}

/**
 * The capsule of a sampler: one line of JSON a second on its stdout (`src/measure` reads them), the first line being
 * `{"sampler":1,"boot":…,"hz":…,"ncpu":…,"device":…}`. End it with `host.kill`: lines are never torn.
 * Throws a CapsuleError `invalid` for names that cannot be passed on.
 */
export function samplerCapsule(options: SamplerOptions): CapsuleSpec {
  const { device, netInterfaces, watch } = options;
  const targets = Object.entries(watch).map(([name, where]) => {
    if (!PLAIN_NAME.test(name) || !/^(\/.*|\d+)$/.test(String(where))) {
      throw new CapsuleError(
        'invalid',
        `The sampler cannot watch ${JSON.stringify(name)} at ${JSON.stringify(where)}: give an absolute path or a pid.`,
      );
    }
    return `${name}=${where}`;
  });
  const wrong = [...netInterfaces, ...(device === null ? [] : [device])].find(
    (name) => !PLAIN_NAME.test(name),
  );
  if (wrong !== undefined)
    throw new CapsuleError('invalid', `${JSON.stringify(wrong)} is no device or network interface.`);
  return {
    name: options.name,
    argv: [
      'bash',
      options.script ?? SAMPLER_SCRIPT,
      device ?? '-',
      netInterfaces.join(',') || '-',
      ...targets,
    ],
    deadlineMs: options.deadlineMs,
    stdoutCapBytes: STDOUT_CAP_BYTES,
    stderrCapBytes: STDERR_CAP_BYTES,
    stamp: false,
    directStdout: true,
    identity: options.identity,
  };
}

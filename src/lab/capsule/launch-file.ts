import type { CapsuleSpec, HostIdentity } from '../host.ts';
import { CapsuleError } from './capsule-error.ts';

const NAME_SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._=,+@-]*$/;
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const CPU_LIST = /^\d+([,-]\d+)*$/;

/**
 * The launch file of a capsule: `key=value` fields, each ended by a NUL, the last one `end`. No value is ever seen
 * by a shell's parser: bash reads the fields into an array and hands them to exec.
 * Throws a CapsuleError `invalid` for what cannot be passed on exactly.
 */
export function launchFile(capsule: CapsuleSpec): Buffer {
  checkName(capsule.name);
  checkCommand(capsule);
  const env = Object.entries(capsule.env ?? {});
  const fields: [string, string | number][] = [
    ['identity', identityText(capsule.identity)],
    ['deadlineMs', capsule.deadlineMs ?? ''],
    ['notBeforeMs', capsule.notBeforeMs ?? 0],
    ['stdoutCap', capsule.stdoutCapBytes],
    ['stderrCap', capsule.stderrCapBytes],
    ['stamp', capsule.stamp ? 1 : 0],
    ['direct', capsule.directStdout === true ? 1 : 0],
    ['countStderr', capsule.countStderr ?? ''],
    ['cpus', capsule.cpus ?? ''],
    ...(capsule.cwd === undefined ? [] : [['cwd', capsule.cwd] as [string, string]]),
    ...env.map(([name, value]): [string, string] => ['env', `${name}=${value}`]),
    ...capsule.argv.map((argument): [string, string] => ['argv', argument]),
    ['end', ''],
  ];
  return Buffer.from(fields.map(([key, value]) => `${key}=${value}\0`).join(''));
}

/** Throws unless the name is a plain relative path (`key/b1/acks=all,rf=3/a1/p-1`). */
export function checkName(name: string): void {
  if (name.length > 512 || !name.split('/').every((segment) => NAME_SEGMENT.test(segment))) {
    throw new CapsuleError(
      'invalid',
      `${JSON.stringify(name)} cannot name a capsule: use letters, digits and ._=,+@- between slashes.`,
    );
  }
}

/** `<boot id> <pod uid or -> <container or ->`, as the script's `identity` prints it. */
export function identityText(identity: HostIdentity): string {
  return [identity.bootId, identity.podUid ?? '-', identity.containerId ?? '-'].join(' ');
}

/** The reverse of identityText. */
export function parseIdentity(text: string): HostIdentity {
  const [bootId = '', podUid = '-', containerId = '-'] = text.trim().split(' ');
  if (bootId === '') throw new CapsuleError('transport', 'The host did not say which boot it is.');
  return { bootId, ...(podUid === '-' ? {} : { podUid }), ...(containerId === '-' ? {} : { containerId }) };
}

function checkCommand(capsule: CapsuleSpec): void {
  const bad = (what: string): never => {
    throw new CapsuleError('invalid', `The capsule ${capsule.name} cannot be launched: ${what}.`);
  };
  const [command = ''] = capsule.argv;
  // env(1) and taskset(1) stand before the command and would take such a first word for their own.
  if (command === '' || command.startsWith('-') || command.includes('='))
    bad(`${JSON.stringify(command)} cannot be its command`);
  for (const name of Object.keys(capsule.env ?? {})) {
    if (!ENV_NAME.test(name)) bad(`${JSON.stringify(name)} cannot name an environment variable`);
  }
  if (capsule.cpus !== undefined && !CPU_LIST.test(capsule.cpus))
    bad(`${JSON.stringify(capsule.cpus)} is no list of cores`);
  const numbers = [
    capsule.deadlineMs ?? 0,
    capsule.notBeforeMs ?? 0,
    capsule.stdoutCapBytes,
    capsule.stderrCapBytes,
  ];
  if (!numbers.every((n) => Number.isSafeInteger(n) && n >= 0))
    bad('deadline, barrier and caps must be whole numbers, not negative');
  if (capsule.directStdout === true && capsule.stamp) bad('a stdout that is stamped goes through the runner');
  const texts = [
    ...capsule.argv,
    ...Object.values(capsule.env ?? {}),
    capsule.cwd ?? '',
    capsule.countStderr ?? '',
  ];
  if (texts.some((text) => text.includes('\0'))) bad('a NUL cannot be passed to a command');
}

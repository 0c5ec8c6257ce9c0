/**
 * Why a host could not do what was asked of it.
 *
 * | code | meaning | what to do |
 * |---|---|---|
 * | identity | the host is not the one fixed at `prepare` | void the attempt, prepare again |
 * | disk-full | no room for the capsule's own records | free space; nothing was started |
 * | pattern | countStderr is no extended regular expression | a mistake in our code |
 * | not-claimed | nobody claimed the capsule in time | look at its runner.log; launching again is safe |
 * | alive | it lives (remove), or its processes do not die (kill) | kill first; look at the named pids |
 * | nested | other capsules lie below the folder | remove them first |
 * | no-file | the capsule has no such file | |
 * | invalid | a name, argument or environment that cannot be run | a mistake in our code or the spec |
 * | gone | the host is not there any more (its pod was deleted) | void the attempt, repair the lab |
 * | transport | the host did not answer, or its answer came broken three times | try again |
 * | bash | the host's bash is older than 5 | another image or bash |
 */
export type CapsuleErrorCode =
  | 'identity'
  | 'disk-full'
  | 'pattern'
  | 'not-claimed'
  | 'alive'
  | 'nested'
  | 'no-file'
  | 'invalid'
  | 'gone'
  | 'transport'
  | 'bash';

export class CapsuleError extends Error {
  readonly code: CapsuleErrorCode;

  constructor(code: CapsuleErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CapsuleError';
    this.code = code;
  }
}

/** Names of the files of one attempt, relative to its folder (`trialFolder`). */
export const TRIAL = 'trial.json';
/** What was only to be seen while it ran. */
export const EVIDENCE = 'evidence.json';

/** What one load leaves behind: both streams of its tool, and how its process ended. */
export function loadFiles(load: string): {
  readonly stdout: string;
  readonly stderr: string;
  readonly end: string;
} {
  return { stdout: `${load}.stdout`, stderr: `${load}.stderr`, end: `${load}.exit.json` };
}

/** The samples of a machine: the first one's are `sampler.jsonl`. */
export function samplesFile(index: number): string {
  return index === 0 ? 'sampler.jsonl' : `sampler-${index + 1}.jsonl`;
}

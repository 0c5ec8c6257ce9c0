import type { Found, JanitorReport, Look } from '../janitor/leftover.ts';
import { visible } from '../spec/visible.ts';

const PLACES = { machine: 'this machine', cluster: 'the cluster', ec2: 'EC2' } as const;
/** Objects of one lab that are named one by one. */
const MOST_PARTS = 12;

/** Where was looked, then everything that was found, with what happens to it and why. Pure. */
export function cleanupText({ looks, found, dryRun }: JanitorReport): string {
  const lines = [...looks.map(lookLine), ...found.flatMap((one) => foundLines(one)), summary(found, dryRun)];
  return `${visible(lines.join('\n'))}\n`;
}

function lookLine({ place, state, says }: Look): string {
  const name = PLACES[place];
  if (state === 'complete') return `✓ looked at ${name}: ${says}`;
  if (state === 'partly') return `! looked at a part of ${name}: ${says}`;
  return state === 'skipped' ? `– did not look at ${name}: ${says}` : `✗ could not look at ${name}: ${says}`;
}

function foundLines(one: Found): readonly string[] {
  const { place, id, verdict, removal, parts } = one;
  const named = parts.slice(0, MOST_PARTS).map(({ name }) => `    ${name}`);
  const more = parts.length > MOST_PARTS ? [`    and ${parts.length - MOST_PARTS} more`] : [];
  const outcome = removal?.outcome ?? (verdict.remove ? 'would-remove' : 'kept');
  const [mark, word] = OUTCOMES[outcome];
  const remains = (removal?.remains ?? []).map((text) => `    still there: ${text}`);
  const who = one.owner === null ? '' : ` of ${one.owner}`;
  return [
    `${mark} ${id}${who} in ${PLACES[place]} ${word}: ${removal?.why ?? verdict.why}`,
    ...remains,
    ...named,
    ...more,
  ];
}

const OUTCOMES = {
  removed: ['✓', 'was removed'],
  incomplete: ['✗', 'was not removed completely'],
  left: ['–', 'was left alone'],
  kept: ['–', 'stays'],
  'would-remove': ['!', 'would be removed'],
} as const;

function summary(found: readonly Found[], dryRun: boolean): string {
  if (found.length === 0) return 'Nothing is left of any experiment.';
  const due = found.filter(({ verdict }) => verdict.remove).length;
  if (dryRun)
    return due === 0
      ? 'Nothing of it may be removed.'
      : `\`assay cleanup --delete\` removes ${due} of ${found.length}.`;
  const removed = found.filter(({ removal }) => removal?.outcome === 'removed').length;
  return `Removed ${removed} of ${found.length}.`;
}

import { describe, expect, it } from 'vitest';
import { temporalCommand } from '../../src/cli/schedule.ts';

describe('assay schedule --print', () => {
  const schedule = {
    cron: '30 2 * * *',
    zone: 'Europe/Berlin',
    overlap: 'skip',
    catchUp: 3_600_000,
    jitter: 300_000,
  } as const;

  it('says the same in the words of the Temporal CLI, safe for a shell', () => {
    expect(temporalCommand("it's nightly", schedule)).toBe(
      `temporal schedule create --schedule-id 'it'\\''s nightly' --cron '30 2 * * *' --time-zone Europe/Berlin --overlap-policy Skip --catchup-window 3600000ms --jitter 300000ms --type experiment --task-queue assay --workflow-id 'it'\\''s nightly' --input-file spec.json`,
    );
  });

  it.each([
    ['bufferOne', 'BufferOne'],
    ['bufferAll', 'BufferAll'],
    ['allowAll', 'AllowAll'],
  ] as const)('names overlap %s as Temporal does', (overlap, name) => {
    expect(temporalCommand('n', { ...schedule, overlap })).toContain(`--overlap-policy ${name} `);
  });
});

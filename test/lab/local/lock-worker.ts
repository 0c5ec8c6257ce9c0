// A process of its own for races: takes the lock or the lease as told, and says what it got on stdout.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { machineLease } from '../../../src/lab/lease.ts';
import { withFileLock } from '../../../src/lab/local/file-lock.ts';

const [mode = '', path = '', ...rest] = process.argv.slice(2);

if (mode === 'count') {
  // read, give others their chance, write: loses counts unless only one is inside
  const [file = '', times = '0'] = rest;
  for (let i = 0; i < Number(times); i++) {
    await withFileLock(path, 60_000, async () => {
      const before = Number(readFileSync(file, 'utf8'));
      await new Promise((resolve) => setImmediate(resolve));
      writeFileSync(file, String(before + 1));
    });
  }
} else if (mode === 'hold') {
  await withFileLock(path, 60_000, async () => {
    process.stdout.write('held\n');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  });
} else if (mode === 'lease') {
  const [key = '', log = '', go = ''] = rest;
  process.stdout.write('ready\n');
  // all racers off at once
  while (!existsSync(go)) await new Promise((resolve) => setTimeout(resolve, 1));
  const answer = await machineLease(path).acquire({
    experimentKey: key,
    workflowId: key,
    labFolder: `/nowhere/${key}`,
  });
  if (answer.held) appendFileSync(log, `${key}\n`);
}

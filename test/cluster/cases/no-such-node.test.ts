import { expect, test } from 'vitest';
import { leftOver } from '../support/left-over.ts';
import { setStage } from '../support/stage.ts';

/* A selector that no node meets: the scheduler's words, what to change, and nothing left. */

const stage = setStage();

test('a node selector that cannot be met ends with exit code 5, the reason and the fix', {
  timeout: 900_000,
}, async () => {
  const run = stage.start('no-such-node', {
    lab: { brokers: { nodes: { 'example.com/disk': 'nvme' } } },
    limitMs: 850_000,
  });
  const { code, stderr } = await run.ended;
  process.stderr.write(stderr);
  expect(code, stderr).toBe(5);
  expect(stderr).toMatch(
    /Pod kafka-\d has no node: the scheduler says ".*didn't match Pod's node affinity\/selector/,
  );
  expect(stderr).toContain('lab.kubernetes.brokers.nodes asks for example.com/disk=nvme');
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(await leftOver()).toEqual([]);
});

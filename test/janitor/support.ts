import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Shift, Ways } from '../../src/janitor/janitor.ts';
import type { Scope, WorkflowState } from '../../src/janitor/leftover.ts';
import type { Workflows } from '../../src/janitor/workflows.ts';
import { resolveHome } from '../../src/lab/home.ts';
import { provision } from '../../src/lab/kubernetes/provision.ts';
import type { LabDesign } from '../../src/lab/kubernetes/objects/lab-design.ts';
import type { MemoryCluster } from '../lab/kubernetes/memory-cluster.ts';
import { IDS } from '../lab/kubernetes/objects/support.ts';

export const CLOSED: WorkflowState = { kind: 'closed', how: 'terminated' };
export const SOON = { everyMs: 1, podsMs: 30, volumesMs: 30, namespaceMs: 30 };
export const EVERYWHERE: Scope = { context: null, namespaces: null, region: null, ignoreExpiry: false };

/** A Temporal that knows these workflows by id; it may be told otherwise in between. */
export function knownWorkflows(states: Record<string, WorkflowState>): Workflows {
  const of = (id: string): WorkflowState => states[id] ?? { kind: 'not-found' };
  return {
    stateOf: async (id) => Promise.resolve(of(id)),
    stateOfKey: async (key) => {
      const workflowId = Object.keys(states).find((id) => key.startsWith(`${id}-`)) ?? null;
      return Promise.resolve({ workflowId, state: of(workflowId ?? '') });
    },
  };
}

/** An hour after everything expired, unless said otherwise. */
export function shiftOf(
  ways: Partial<Ways>,
  scope: Partial<Scope> = {},
  nowMs = IDS.expiresAtMs + 3_600_000,
): Shift {
  return {
    ways: {
      cluster: async () => Promise.resolve(null),
      ec2: async () => Promise.resolve(null),
      namespaces: null,
      workflows: knownWorkflows({ codec: CLOSED }),
      ...ways,
      machine: ways.machine ?? emptyMachine(),
    },
    scope: { ...EVERYWHERE, ...scope },
    say: () => undefined,
    signal: new AbortController().signal,
    now: () => nowMs,
    limits: { teardownLimits: SOON, disksMs: 0 },
  };
}

/** A lab as an experiment makes it. */
export async function makeLab(cluster: MemoryCluster, design: LabDesign): Promise<void> {
  await provision({
    cluster,
    design,
    keeper: { read: async () => Promise.resolve(null), write: async () => Promise.resolve() },
    say: () => undefined,
    signal: new AbortController().signal,
    limits: { everyMs: 1, readyMs: 200, unplacedMs: 20, troubleMs: 20 },
  });
}

function emptyMachine(): Ways['machine'] {
  const root = mkdtempSync(join(tmpdir(), 'assay-janitor-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return { home: resolveHome({ ASSAY_HOME: join(root, 'home') }), machineDir: join(root, 'machine') };
}

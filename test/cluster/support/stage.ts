import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll } from 'vitest';
import { openStoreAt } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { ExperimentResult } from '../../../src/temporal/status.ts';
import { type FaultProxy, startFaultProxy } from '../../aws/support/fault-proxy.ts';
import { openCloud } from './cloud.ts';
import type { Ended } from './command.ts';
import { publishEbsMetrics } from './ebs-metrics.ts';
import { sweep } from './left-over.ts';
import { type OwnAssay, ownAssay } from './own-assay.ts';
import { RunningExperiment } from './running-experiment.ts';
import { clusterLab, type LabChanges, REGION, writeSpec } from './spec-file.ts';
import { useNoEc2 } from './volumes.ts';

export interface StartOptions {
  /** `--set` of the command line. */
  readonly sets?: readonly string[];
  readonly lab?: LabChanges;
  /** The command is killed then. */
  readonly limitMs: number;
}

/** What a test needs to run experiments in the cluster as a user does, and to disturb them. */
export interface Stage {
  readonly own: OwnAssay;
  /** Stands between worker and AWS. */
  readonly proxy: FaultProxy;
  /** Of its Temporal; there once an experiment was started. */
  client(): Promise<Client>;
  /** Starts `assay run` with the fixture. */
  start(id: string, options: StartOptions): RunningExperiment;
}

interface Parts {
  proxy?: FaultProxy;
  own?: OwnAssay;
  published?: Promise<void>;
  connection?: Connection;
}

/**
 * Sets the stage for the file that calls it: an Assay of its own, an emulated AWS, and EBS's metrics in it.
 *
 * @param kubeconfig makes the one by which Assay reaches the cluster; left out = the administrator's.
 */
export function setStage(kubeconfig?: () => Promise<string>): Stage {
  const parts: Parts = {};
  const stopped = new AbortController();
  beforeAll(async () => {
    const url = await openCloud();
    parts.published = publishEbsMetrics(url, REGION, stopped.signal);
    parts.proxy = await startFaultProxy(url);
    parts.own = await ownAssay(parts.proxy.url, await kubeconfig?.());
  });
  afterAll(async () => {
    await parts.connection?.close();
    await parts.own?.close();
    await sweep();
    stopped.abort();
    await parts.published;
    useNoEc2();
    await parts.proxy?.stop();
  });
  const client = async (): Promise<Client> => {
    parts.connection ??= await Connection.connect({ address: parts.own!.temporal });
    return new Client({ connection: parts.connection });
  };
  return {
    get own() {
      return parts.own!;
    },
    get proxy() {
      return parts.proxy!;
    },
    client,
    start(id, { sets = [], lab, limitMs }) {
      const spec = writeSpec(parts.own!.folder, `${id}.yaml`, clusterLab(lab));
      const args = ['run', spec, '--id', id, '--json', ...sets.flatMap((set) => ['--set', set])];
      return new RunningExperiment(id, parts.own!.assay(args, limitMs), client);
    },
  };
}

/** What `assay run --json` printed, and where the results are. */
export function resultOf({ stdout }: Ended): { readonly result: ExperimentResult; readonly store: Store } {
  const result = JSON.parse(stdout) as ExperimentResult;
  return { result, store: openStoreAt(result.resultsFolder ?? '') };
}

import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import type { Patience } from '../../../src/aws/patience.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { awsEnvironment, type Moto, startMoto } from './moto.ts';

/** The emulated AWS of a test file: moto behind the fault proxy, empty before every test. */
export interface Emulated {
  readonly proxy: FaultProxy;
  readonly moto: Moto;
}

/** Starts both for the file that calls it, and points the SDK at the proxy. */
export function emulatedAws(): Emulated {
  const running: { proxy?: FaultProxy; moto?: Moto } = {};
  beforeAll(async () => {
    running.moto = await startMoto();
    running.proxy = await startFaultProxy(running.moto.url);
    for (const [name, value] of Object.entries(awsEnvironment(running.proxy.url))) vi.stubEnv(name, value);
  });
  beforeEach(async () => {
    await running.moto?.reset();
    running.proxy?.clear();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await running.proxy?.stop();
    await running.moto?.stop();
  });
  return {
    get proxy() {
      return running.proxy!;
    },
    get moto() {
      return running.moto!;
    },
  };
}

/** Patience that does not really wait, and remembers what it said and how long it would have waited. */
export function patienceInTests(
  limits: Partial<Patience> = {},
): Patience & { readonly said: string[]; readonly waitedMs: number[] } {
  const [said, waitedMs]: [string[], number[]] = [[], []];
  return {
    limitMs: 60_000,
    credentialsLimitMs: 60_000,
    say: (text) => void said.push(text),
    sleep: async (ms) => void waitedMs.push(ms),
    ...limits,
    said,
    waitedMs,
  };
}

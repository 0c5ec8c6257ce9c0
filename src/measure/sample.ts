import { lineSplitter } from './lines.ts';

/** First line of a sampler's output. */
export interface SamplerHeader {
  readonly boot: string;
  /** Clock ticks per second. */
  readonly hz: number;
  readonly cpus: number;
  /** The verified data device, e.g. `vda`; null = unknown. */
  readonly device: string | null;
}

export type CpuTicks = readonly [number, number, number, number, number, number, number, number];

/** One reading of a machine's counters. null = the counter does not exist or could not be read, never 0. */
export interface Sample {
  /** Wall and uptime at the start and end of the reading, ms. */
  readonly wallMs: readonly [number, number];
  readonly uptimeMs: readonly [number, number];
  /** user, nice, system, idle, iowait, irq, softirq, steal: ticks of all cpus together. */
  readonly cpu: CpuTicks | null;
  readonly disk: {
    readonly reads: number;
    readonly readSectors: number;
    readonly writes: number;
    readonly writeSectors: number;
    readonly busyMs: number;
    readonly discards: number | null;
    readonly flushes: number | null;
  } | null;
  readonly dirtyBytes: number | null;
  readonly writebackBytes: number | null;
  readonly net: Readonly<Record<string, { readonly rxBytes: number; readonly txBytes: number }>>;
  /** Pressure "some" totals, µs. */
  readonly psi: {
    readonly cpuUs: number | null;
    readonly ioUs: number | null;
    readonly memoryUs: number | null;
  } | null;
  /** Process → ticks of cpu and its start time; null while it cannot be read. */
  readonly processes: Readonly<
    Record<
      string,
      { readonly userTicks: number; readonly systemTicks: number; readonly start: number } | null
    >
  >;
  readonly throttledUs: number | null;
}

export type SamplerLine =
  | { readonly kind: 'header'; readonly header: SamplerHeader }
  | { readonly kind: 'sample'; readonly sample: Sample }
  /** Torn or foreign: no reading is taken from it. */
  | { readonly kind: 'unreadable' };

type Json = Readonly<Record<string, unknown>>;

function object(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

/** A counter: finite and not negative; null for everything else. */
function counter(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function times(value: unknown, factor: number): number | null {
  const number = counter(value);
  return number === null || !Number.isFinite(number * factor) ? null : number * factor;
}

/** Reads one line of a sampler. */
export function samplerLine(text: string): SamplerLine {
  let value: Json | null = null;
  try {
    value = object(JSON.parse(text));
  } catch {
    // A torn line is an expected state of a file that is still written.
  }
  if (value === null) return { kind: 'unreadable' };
  if ('sampler' in value) {
    const header = headerOf(value);
    return header === null ? { kind: 'unreadable' } : { kind: 'header', header };
  }
  const sample = sampleOf(value);
  return sample === null ? { kind: 'unreadable' } : { kind: 'sample', sample };
}

function headerOf(value: Json): SamplerHeader | null {
  const hz = counter(value['hz']);
  const cpus = counter(value['ncpu']);
  const { boot, device } = value;
  if (value['sampler'] !== 1 || typeof boot !== 'string' || !hz || !cpus) return null;
  return { boot, hz, cpus, device: typeof device === 'string' ? device : null };
}

function sampleOf(value: Json): Sample | null {
  const w0 = times(value['w0'], 1000);
  const w1 = times(value['w1'], 1000);
  const u0 = times(value['u0'], 1000);
  const u1 = times(value['u1'], 1000);
  if (w0 === null || w1 === null || u0 === null || u1 === null) return null;
  return {
    wallMs: [w0, w1],
    uptimeMs: [u0, u1],
    cpu: cpuOf(value['cpu']),
    disk: diskOf(object(value['disk'])),
    dirtyBytes: times(value['dirty'], 1024),
    writebackBytes: times(value['wb'], 1024),
    net: netOf(object(value['net'])),
    psi: psiOf(object(value['psi'])),
    processes: processesOf(object(value['proc'])),
    throttledUs: counter(object(value['cg'])?.['throttledUsec']),
  };
}

function cpuOf(value: unknown): CpuTicks | null {
  if (!Array.isArray(value) || value.length < 8) return null;
  const ticks = value.slice(0, 8).map(counter);
  return ticks.every((tick) => tick !== null) ? (ticks as unknown as CpuTicks) : null;
}

function diskOf(disk: Json | null): Sample['disk'] {
  if (disk === null) return null;
  const reads = counter(disk['rio']);
  const readSectors = counter(disk['rsect']);
  const writes = counter(disk['wio']);
  const writeSectors = counter(disk['wsect']);
  const busyMs = counter(disk['ioms']);
  if (reads === null || readSectors === null || writes === null || writeSectors === null || busyMs === null)
    return null;
  return {
    reads,
    readSectors,
    writes,
    writeSectors,
    busyMs,
    discards: counter(disk['dio']),
    flushes: counter(disk['fio']),
  };
}

function netOf(net: Json | null): Sample['net'] {
  const rows = Object.entries(net ?? {}).flatMap(([name, pair]) => {
    const rxBytes = Array.isArray(pair) ? counter(pair[0]) : null;
    const txBytes = Array.isArray(pair) ? counter(pair[1]) : null;
    return rxBytes === null || txBytes === null ? [] : [[name, { rxBytes, txBytes }] as const];
  });
  return Object.fromEntries(rows);
}

function psiOf(psi: Json | null): Sample['psi'] {
  if (psi === null) return null;
  return { cpuUs: counter(psi['cpu']), ioUs: counter(psi['io']), memoryUs: counter(psi['mem']) };
}

function processesOf(proc: Json | null): Sample['processes'] {
  const rows = Object.entries(proc ?? {}).map(([name, ticks]) => {
    const [userTicks, systemTicks, start] = Array.isArray(ticks) ? ticks.map(counter) : [null, null, null];
    const whole = userTicks != null && systemTicks != null && start != null;
    return [name, whole ? { userTicks, systemTicks, start } : null] as const;
  });
  return Object.fromEntries(rows);
}

/** A sampler's whole output. */
export interface Samples {
  readonly header: SamplerHeader | null;
  readonly samples: readonly Sample[];
  /** Indexes of samples before which another sampler or boot began: nothing is compared across them. */
  readonly breaks: readonly number[];
  readonly unreadable: number;
}

export interface SamplesReader {
  /** Takes any piece of the stream and gives the samples that it completes. */
  push(chunk: Uint8Array | string): readonly Sample[];
  samples(): Samples;
}

/** Reads a sampler's output from pieces. */
export function samplesReader(): SamplesReader {
  const splitter = lineSplitter();
  const samples: Sample[] = [];
  const breaks: number[] = [];
  let header: SamplerHeader | null = null;
  let unreadable = 0;
  return {
    push(chunk) {
      const from = samples.length;
      for (const text of splitter.push(chunk)) {
        const line = samplerLine(text);
        if (line.kind === 'sample') samples.push(line.sample);
        else if (line.kind === 'header') {
          if (header !== null) breaks.push(samples.length);
          header = line.header;
        } else if (text.trim() !== '') unreadable += 1;
      }
      return samples.slice(from);
    },
    samples: () => ({ header, samples: [...samples], breaks: [...breaks], unreadable }),
  };
}

/** Reads a whole file of samples. A last line without newline is torn and ignored. */
export function readSamples(text: string): Samples {
  const reader = samplesReader();
  reader.push(text);
  return reader.samples();
}

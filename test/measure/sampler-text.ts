/** Writes what the sampler would: one line a second from T0, with counters that rise evenly. */
export const T0 = 1_796_038_829_000;
export const HEADER = '{"sampler":1,"boot":"boot-1","hz":100,"ncpu":2,"device":"vda"}';

export interface SampleJson {
  w0: number;
  w1: number;
  u0: number;
  u1: number;
  cpu: number[];
  disk: Record<string, number> | null;
  dirty: number;
  wb: number;
  net: Record<string, number[]>;
  psi: Record<string, number> | null;
  proc: Record<string, number[] | null>;
  cg: Record<string, number> | null;
}

export function sampleJson(at: number): SampleJson {
  const wall = T0 / 1000 + at;
  return {
    w0: wall,
    w1: wall + 0.002,
    u0: 500 + at,
    u1: 500 + at,
    cpu: [60 * at, 0, 20 * at, 110 * at, 4 * at, at, at, 4 * at],
    disk: { rio: at, rsect: 8 * at, wio: 10 * at, wsect: 2000 * at, ioms: 250 * at },
    dirty: 100,
    wb: 4,
    net: { lo: [1000 * at, 1000 * at] },
    psi: { cpu: 50_000 * at, io: 10_000 * at, mem: 0 },
    // The client starts after the first sample.
    proc: { b1: [20 * at, 10 * at, 77], p: at === 0 ? null : [30 * at, 10 * at, 88] },
    cg: null,
  };
}

export function samplerText(
  samples: number,
  options: { edit?: (one: SampleJson, at: number) => SampleJson } = {},
): string {
  const lines = Array.from({ length: samples }, (_, at) =>
    JSON.stringify(options.edit?.(sampleJson(at), at) ?? sampleJson(at)),
  );
  return `${[HEADER, ...lines].join('\n')}\n`;
}

/** How a benchmark is run. */
export interface BenchmarkContext {
  /** A try at small scale: shows that everything works, and nothing else. */
  readonly quick: boolean;
  /** Progress, for who watches. */
  readonly say: (text: string) => void;
}

/** A figure that was promised, and whether it was met. */
export interface Target {
  readonly text: string;
  readonly met: boolean;
}

/** What one benchmark found. */
export interface Finding {
  /** Markdown: tables and sentences, each figure with its n. */
  readonly markdown: string;
  readonly targets: readonly Target[];
}

export interface Benchmark {
  /** The letter by which it is asked for. */
  readonly key: string;
  readonly title: string;
  run(context: BenchmarkContext): Promise<Finding>;
}

// How long a run of the model may take before it counts as hung: a multiple of the longest run of its size so far. The
// limit of the first run depends on the size of the weights, which may have to be read from a slow disk.

/** Reports that work starts that may take this long, and returns a function that reports its end. */
export type BeginWork = (allowedMs: number) => () => void;

interface RunLimitsOptions {
  weightBytes: number;
  beginWork?: BeginWork | undefined;
  /** The minimum limit. Defaults to 20 s. */
  minMs?: number | undefined;
  now?: () => number;
}

export interface RunLimits {
  /** Runs work that opens the session or computes this many tokens. */
  run<T>(tokens: number | 'open', work: () => Promise<T>): Promise<T>;
}

const MIN_MS = 20_000;
/** Swapping or a training run at the same time slow the machine down, but hardly by this much. */
const FACTOR = 10;
/** The slowest disk to expect, in bytes per millisecond. */
const SLOWEST_DISK = 20_000;

/** Creates the limits of one session. Measurements of one session do not apply to another. */
export function createRunLimits(options: RunLimitsOptions): RunLimits {
  const { weightBytes, beginWork = () => () => {}, minMs = MIN_MS, now = () => performance.now() } = options;
  const longest = new Map<number, number>();

  function limitOf(size: number): number {
    const known = longest.get(size);
    return Math.max(minMs, known === undefined ? weightBytes / SLOWEST_DISK : known * FACTOR);
  }

  return {
    async run(tokens, work) {
      const size = tokens === 'open' ? 0 : 2 ** Math.ceil(Math.log2(tokens));
      const end = beginWork(limitOf(size));
      const startedAt = now();
      try {
        const result = await work();
        longest.set(size, Math.max(longest.get(size) ?? 0, now() - startedAt));
        return result;
      } finally {
        end();
      }
    },
  };
}

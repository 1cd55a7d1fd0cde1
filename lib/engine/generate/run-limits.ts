// How long a run of the model may take before it counts as hung: many times the longest of its size so far. The first one
// has no measure but the weights, which may still have to come from a slow disk.

/** Says that work begins that may take so long, and gives back what says that it is done. */
export type BeginWork = (allowedMs: number) => () => void;

export interface RunLimitsOptions {
  weightBytes: number;
  beginWork?: BeginWork | undefined;
  /** What every run may take; 20 s unless given. */
  leastMs?: number | undefined;
  now?: () => number;
}

export interface RunLimits {
  /** Does what loads the session, or computes so many tokens. */
  run<T>(tokens: number | 'open', work: () => Promise<T>): Promise<T>;
}

const LEAST_MS = 20_000;
/** A machine that runs out of memory, or trains beside, is slower than before, but hardly so much. */
const FACTOR = 10;
/** The slowest disk that weights are read from, in bytes per millisecond. */
const SLOWEST_DISK = 20_000;

/** For one session: what was measured of it says nothing of another. */
export function createRunLimits(options: RunLimitsOptions): RunLimits {
  const {
    weightBytes,
    beginWork = () => () => {},
    leastMs = LEAST_MS,
    now = () => performance.now(),
  } = options;
  const longest = new Map<number, number>();

  function limitOf(size: number): number {
    const known = longest.get(size);
    return Math.max(leastMs, known === undefined ? weightBytes / SLOWEST_DISK : known * FACTOR);
  }

  return {
    async run(tokens, work) {
      const size = tokens === 'open' ? 0 : 2 ** Math.ceil(Math.log2(tokens));
      const end = beginWork(limitOf(size));
      const begunAt = now();
      try {
        const result = await work();
        longest.set(size, Math.max(longest.get(size) ?? 0, now() - begunAt));
        return result;
      } finally {
        end();
      }
    },
  };
}

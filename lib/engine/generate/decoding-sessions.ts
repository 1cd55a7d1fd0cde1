// The sessions of the base model: one with inputs for adapters, and a faster one without. Each holds its own copy of
// the weights, so a large model has one session at a time; once an adapter was used, that is the one with adapters.
import { buildDecodingGraph, type ModelSource } from '../model/index.js';
import { createSession, type Session, type SessionOptions } from '../runtime/index.js';
import { isSmall, sessionBytes } from './cache-budget.js';

interface DecodingSessionsOptions extends Pick<ModelSource, 'config' | 'weights' | 'bytesPerWeight'> {
  context: number;
  session?: SessionOptions | undefined;
  /** Keep both sessions, which doubles the memory. Defaults to true for a small model. */
  keepBoth?: boolean | undefined;
  beginWork?: BeginWork | undefined;
  runLimitMs?: number | undefined;
}

interface DecodingSession extends Session {
  /** Whether it has inputs for adapters. */
  adapters: boolean;
  limits: RunLimits;
}

export interface DecodingSessions {
  /** Creates the session on first use. */
  open(withAdapters: boolean): Promise<DecodingSession>;
  close(): Promise<void>;
}

export function createDecodingSessions(options: DecodingSessionsOptions): DecodingSessions {
  const { config, weights, context, beginWork, runLimitMs: minMs } = options;
  const weightBytes = sessionBytes(options);
  const { keepBoth = isSmall(weightBytes) } = options;
  const sessions = new Map<boolean, DecodingSession>();

  async function close(adapters: boolean): Promise<void> {
    const session = sessions.get(adapters);
    sessions.delete(adapters);
    await session?.close();
  }

  return {
    async open(withAdapters) {
      const adapters = withAdapters || (!keepBoth && sessions.has(true));
      const found = sessions.get(adapters);
      if (found) return found;
      if (!keepBoth) await close(!adapters);
      const limits = createRunLimits({ weightBytes, beginWork, minMs });
      const create = () => {
        const graph = buildDecodingGraph(config, weights, { adapters, context });
        return createSession(graph, { spinning: true, ...options.session });
      };
      const session = { ...(await limits.run('open', create)), adapters, limits };
      sessions.set(adapters, session);
      return session;
    },
    async close() {
      await Promise.all([close(true), close(false)]);
    },
  };
}

/** Reports that work starts that may take this long, and returns a function that reports its end. */
export type BeginWork = (allowedMs: number) => () => void;

interface RunLimitsOptions {
  weightBytes: number;
  beginWork?: BeginWork | undefined;
  /** The minimum limit. Defaults to 20 s. */
  minMs?: number | undefined;
  now?: () => number;
}

/** @internal */
export interface RunLimits {
  /** Runs work that opens the session or computes this many tokens. */
  run<T>(tokens: number | 'open', work: () => Promise<T>): Promise<T>;
}

const MIN_MS = 20_000;
/** Swapping or a training run at the same time slow the machine down, but hardly by this much. */
const FACTOR = 10;
/** The slowest disk to expect, in bytes per millisecond. */
const SLOWEST_DISK = 20_000;

/**
 * How long the runs of one session may take before they count as hung: a multiple of the longest run of that size so far.
 * The limit of the first run depends on the size of the weights, which may have to be read from a slow disk. @internal
 */
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

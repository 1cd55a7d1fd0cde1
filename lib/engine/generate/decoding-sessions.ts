// The sessions of the base model: one with inputs for adapters, and a faster one without. Each holds its own copy of
// the weights, so a large model has one session at a time; once an adapter was used, that is the one with adapters.
import { buildDecodingGraph, type ModelSource } from '../model/index.js';
import { createSession, type Session, type SessionOptions } from '../runtime/index.js';
import { isSmall, sessionBytes } from './cache-budget.js';
import { type BeginWork, createRunLimits, type RunLimits } from './run-limits.js';

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

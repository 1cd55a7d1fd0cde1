// How the project's code chats with an adapter of the run: through the cloud, as any other caller.
import { createBackoff } from '../../client/index.js';
import type { Clock } from '../../clock/index.js';
import { type AdapterRef, ApiError } from '../../contract/index.js';
import type { Session } from '../session/session.js';
import type { Infer } from './options.js';

/** Chats with an adapter. */
export function inferWith(adapter: AdapterRef, session: Session): Infer {
  const request = (input: object) => ({ ...(input as { messages: [] }), adapter });
  async function* stream(input: object) {
    const project = await session.projectClient();
    const { chunks, first } = await patiently(async () => {
      const opened = project.chat({ ...request(input), stream: true });
      return { chunks: opened, first: await opened.next() };
    }, session.clock);
    if (first.done) return;
    yield first.value;
    yield* chunks;
  }
  const once = async (input: object) => {
    const project = await session.projectClient();
    return patiently(() => project.chat({ ...request(input), stream: false }), session.clock);
  };
  return ((input: { stream?: boolean }) => (input.stream ? stream(input) : once(input))) as Infer;
}

/** Retries while the engine is busy: a callback may send more requests than the engine queues. */
async function patiently<T>(ask: () => Promise<T>, clock: Clock): Promise<T> {
  const backoff = createBackoff({ firstMs: 250, longestMs: 4000 });
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'engine_busy') throw error;
      await clock.sleep(backoff.next());
    }
  }
}

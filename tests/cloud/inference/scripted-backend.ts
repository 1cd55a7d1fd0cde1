// A backend that says what a test tells it to, and remembers what it was asked.
import type { InferenceBackend } from '../../../lib/cloud/seams/backend.js';
import type { ChatTask, Piece, TokenLogprob } from '../../../lib/engine/index.js';

export type Script = (task: ChatTask, signal: AbortSignal) => AsyncIterable<Piece>;

export interface ScriptedBackend extends InferenceBackend {
  readonly tasks: ChatTask[];
  /** How many chats have begun and not ended. */
  readonly open: number;
}

export function scriptedBackend(script: Script): ScriptedBackend {
  const tasks: ChatTask[] = [];
  let open = 0;
  return {
    tasks,
    state: 'ready',
    get open() {
      return open;
    },
    async *chat(task, signal) {
      tasks.push(task);
      open++;
      try {
        yield* script(task, signal);
      } finally {
        open--;
      }
    },
    close: async () => {},
  };
}

export const text = (words: string, logprobs?: TokenLogprob[]): Piece => ({
  text: words,
  tokenIds: logprobs?.map(({ id }) => id) ?? [0],
  ...(logprobs && { logprobs }),
});

export const end = (promptTokens: number, completionTokens: number, reason: 'stop' | 'length' = 'stop') =>
  ({
    text: '',
    tokenIds: [],
    finishReason: reason,
    usage: { promptTokens, completionTokens },
  }) satisfies Piece;

/** Says the same to everybody. */
export const saying = (...pieces: Piece[]): Script =>
  async function* say() {
    yield* pieces;
  };

/** Never says anything again; the signal ends it. */
export async function untilAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) {
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
  }
  throw signal.reason;
}

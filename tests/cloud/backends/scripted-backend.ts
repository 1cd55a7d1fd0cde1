// A backend that answers chats with a test's script and records its tasks.
import { ALL_ABILITIES, type Backend, type Question } from '../../../lib/cloud/seams/backend.js';
import type { FinishReason, Piece, TokenLogprob } from '../../../lib/engine/index.js';

type ChatTask = Question<'chat'>;

export type Script = (task: ChatTask, signal: AbortSignal) => AsyncIterable<Piece>;

export interface ScriptedBackend extends Backend {
  readonly tasks: ChatTask[];
  /** How many chats have started and not ended. */
  readonly open: number;
}

export function scriptedBackend(script: Script): ScriptedBackend {
  const tasks: ChatTask[] = [];
  let open = 0;
  return {
    tasks,
    state: 'ready',
    abilities: ALL_ABILITIES,
    load: async () => {},
    unload: async () => {},
    get open() {
      return open;
    },
    async *ask(_kind, task, signal) {
      tasks.push(task as ChatTask);
      open++;
      try {
        yield* script(task as ChatTask, signal) as AsyncIterable<never>;
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

export const end = (promptTokens: number, completionTokens: number, finishReason: FinishReason = 'stop') =>
  ({ text: '', tokenIds: [], finishReason, usage: { promptTokens, completionTokens } }) satisfies Piece;

/** Answers every chat with these pieces. */
export const saying = (...pieces: Piece[]): Script =>
  async function* say() {
    yield* pieces;
  };

/** Says these pieces, then fails. */
export const faultAfter = (fault: unknown, ...pieces: Piece[]): Script =>
  async function* fail() {
    yield* pieces;
    throw fault;
  };

/** Says one piece and waits for its caller to leave. */
export const sayingUntilLeft: Script = async function* say(_, signal) {
  yield text('x');
  await untilAborted(signal);
};

/** A promise that a test keeps when it wants. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { open, opened };
}

/** Waits until the signal aborts, then throws its reason. */
export async function untilAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) {
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
  }
  throw signal.reason;
}

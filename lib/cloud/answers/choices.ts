// Asks a backend: for the answers to one request side by side, whose pieces come as they are generated, or for one
// output.
import type { AskKind, Asks, Piece } from '../../engine/index.js';
import type { InferenceBackend, Question } from '../seams/backend.js';

/** What generates text. */
export type Generation = 'chat' | 'complete';

export type Generated = { [K in Generation]: { task: Question<K>; output: Asks[K]['output'] } };

export interface ChoicePiece<P = Piece> {
  /** The index of the answer. */
  index: number;
  piece: P;
}

/** So many of one request are generated at a time, so that it does not fill the queue alone. */
const AT_ONCE = 8;

/** Yields nothing until the first answers have started: if one of them is refused, all are. */
export async function* generateChoices<K extends Generation>(
  backend: InferenceBackend,
  kind: K,
  tasks: readonly Generated[K]['task'][],
  signal: AbortSignal,
): AsyncGenerator<ChoicePiece<Generated[K]['output']>> {
  type Output = Generated[K]['output'];
  const clientGone = new AbortController();
  const either = AbortSignal.any([signal, clientGone.signal]);
  const answers: AsyncIterator<Output>[] = [];
  const pending = new Map<number, Promise<{ index: number; next: IteratorResult<Output> }>>();
  const advance = (index: number) =>
    pending.set(
      index,
      answers[index]!.next().then(next => ({ index, next })),
    );
  const startNext = () => {
    const task = tasks[answers.length];
    if (task === undefined) return;
    answers.push(backend.ask(kind, task, either)[Symbol.asyncIterator]());
    advance(answers.length - 1);
  };
  try {
    while (answers.length < Math.min(AT_ONCE, tasks.length)) startNext();
    await Promise.all(pending.values());
    while (pending.size > 0) {
      const { index, next } = await Promise.race(pending.values());
      pending.delete(index);
      if (next.done) {
        startNext();
        continue;
      }
      yield { index, piece: next.value };
      advance(index);
    }
  } finally {
    clientGone.abort();
    await Promise.allSettled([...pending.values(), ...answers.map(answer => answer.return?.())]);
  }
}

/** For what comes in one part. */
export async function askOnce<K extends AskKind>(
  backend: InferenceBackend,
  kind: K,
  task: Question<K>,
  signal: AbortSignal,
): Promise<Asks[K]['output']> {
  for await (const output of backend.ask(kind, task, signal)) return output;
  throw new Error(`The backend ended without an answer to "${kind}".`);
}

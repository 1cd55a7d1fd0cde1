// Generates the answers to one request side by side, and yields their pieces as they come.
import type { ChatTask, Piece } from '../../engine/index.js';
import type { InferenceBackend } from '../seams/backend.js';

export interface ChoicePiece {
  /** The index of the answer. */
  index: number;
  piece: Piece;
}

/** Yields nothing until every answer has started: if one is refused, all are. */
export async function* generateChoices(
  backend: InferenceBackend,
  tasks: readonly ChatTask[],
  signal: AbortSignal,
): AsyncGenerator<ChoicePiece> {
  const clientGone = new AbortController();
  const either = AbortSignal.any([signal, clientGone.signal]);
  const answers = tasks.map(task => backend.ask('chat', task, either)[Symbol.asyncIterator]());
  const pending = new Map<number, Promise<{ index: number; next: IteratorResult<Piece> }>>();
  const advance = (index: number) =>
    pending.set(
      index,
      answers[index]!.next().then(next => ({ index, next })),
    );
  try {
    for (const index of answers.keys()) advance(index);
    await Promise.all(pending.values());
    while (pending.size > 0) {
      const { index, next } = await Promise.race(pending.values());
      pending.delete(index);
      if (next.done) continue;
      yield { index, piece: next.value };
      advance(index);
    }
  } finally {
    clientGone.abort();
    await Promise.allSettled([...pending.values(), ...answers.map(answer => answer.return?.())]);
  }
}

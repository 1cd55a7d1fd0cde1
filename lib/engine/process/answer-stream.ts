// The pieces of one answer, on their way from the process that sends them to the caller who reads them.
import type { Piece } from '../generate/index.js';

export class AnswerStream {
  readonly #pieces: Piece[] = [];
  #end: { error: Error | undefined } | null = null;
  #wake = () => {};

  push(piece: Piece): void {
    this.#pieces.push(piece);
    this.#wake();
  }

  /** Ends the answer after the pieces so far. Only the first call counts. */
  end(error?: Error): void {
    this.#end ??= { error };
    this.#wake();
  }

  async *read(): AsyncGenerator<Piece> {
    while (true) {
      yield* this.#pieces.splice(0);
      if (this.#pieces.length > 0) continue;
      if (this.#end) {
        if (this.#end.error) throw this.#end.error;
        return;
      }
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
  }
}

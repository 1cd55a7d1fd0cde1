// What comes back for one question, queued for its reader: in the engine's process, and again in its parent. Can be read
// once.

export class AnswerStream<T> implements AsyncIterableIterator<T> {
  readonly #waiting: T[] = [];
  readonly #onReturn: () => void;
  #end: { error?: unknown } | null = null;
  readonly #sleeping: (() => void)[] = [];

  /** `onReturn` is called if the reader stops before the end. */
  constructor(onReturn = () => {}) {
    this.#onReturn = onReturn;
  }

  push(output: T): void {
    if (this.#end) return;
    this.#waiting.push(output);
    this.#wake();
  }

  /** Ends the stream. The reader gets the error, if any, after what was pushed so far. */
  end(problem: { error?: unknown } = {}): void {
    this.#end ??= problem;
    this.#wake();
  }

  async next(): Promise<IteratorResult<T>> {
    while (this.#waiting.length === 0 && !this.#end) {
      await new Promise<void>(resolve => {
        this.#sleeping.push(resolve);
      });
    }
    const output = this.#waiting.shift();
    if (output !== undefined) return { value: output, done: false };
    const end = this.#end ?? {};
    this.#end = {};
    if ('error' in end) throw end.error;
    return { value: undefined, done: true };
  }

  async return(): Promise<IteratorResult<T>> {
    this.#waiting.length = 0;
    if (!this.#end) this.#onReturn();
    this.#end = {};
    this.#wake();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #wake(): void {
    for (const resolve of this.#sleeping.splice(0)) resolve();
  }
}

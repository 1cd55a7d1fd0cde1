// What comes back for one question, on their way from the process that sends them to the caller who reads them.
export class AnswerStream<T> {
  readonly #outputs: T[] = [];
  #end: { error: Error | undefined } | null = null;
  #wake = () => {};

  push(output: T): void {
    this.#outputs.push(output);
    this.#wake();
  }

  /** Ends the answer after what came so far. Only the first call counts. */
  end(error?: Error): void {
    this.#end ??= { error };
    this.#wake();
  }

  async *read(): AsyncGenerator<T> {
    while (true) {
      yield* this.#outputs.splice(0);
      if (this.#outputs.length > 0) continue;
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

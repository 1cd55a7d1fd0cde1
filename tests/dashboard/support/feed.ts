// What a fake Studio streams, given piece by piece by a test.

/** Values that a test gives one by one. */
export interface Feed<Value> extends AsyncIterable<Value> {
  give(value: Value): void;
  end(error?: Error): void;
}

export function createFeed<Value>(): Feed<Value> {
  const waiting: Value[] = [];
  let failure: Error | undefined;
  let isEnded = false;
  let wake = () => {};
  return {
    give(value) {
      waiting.push(value);
      wake();
    },
    end(error) {
      isEnded = true;
      failure = error;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        while (waiting.length > 0) yield waiting.shift()!;
        if (failure) throw failure;
        if (isEnded) return;
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
    },
  };
}

export function toResponse(feed: Feed<string>): Response {
  return new Response(ReadableStream.from(feed).pipeThrough(new TextEncoderStream()));
}

// What a run printed: the last of it kept as bytes, for any number of readers who each follow it at their own pace. Who
// falls behind what is kept goes on at its beginning.
import { createOutputTail, type OutputTail } from './output-tail.js';

export interface OutputLog {
  append(bytes: Uint8Array): void;
  /** Nothing comes after what is there. */
  close(): void;
  /** All that is kept, then what comes. */
  read(): ReadableStream<Uint8Array>;
}

const LIMIT_BYTES = 1024 ** 2;

export function createOutputLog(limit = LIMIT_BYTES): OutputLog {
  const tail = createOutputTail(limit);
  const waiting = new Set<() => void>();
  let isClosed = false;

  function wake(): void {
    const woken = [...waiting];
    waiting.clear();
    for (const resolve of woken) resolve();
  }

  return {
    append(bytes) {
      if (bytes.length === 0) return;
      tail.append(bytes);
      wake();
    },
    close() {
      isClosed = true;
      wake();
    },
    read: () =>
      streamFrom(tail, {
        isClosed: () => isClosed,
        untilWoken: () => new Promise(resolve => waiting.add(resolve)),
        wake,
      }),
  };
}

interface Changes {
  isClosed(): boolean;
  untilWoken(): Promise<void>;
  wake(): void;
}

function streamFrom(tail: OutputTail, { isClosed, untilWoken, wake }: Changes): ReadableStream<Uint8Array> {
  let at = tail.start;
  let isLeft = false;
  return new ReadableStream<Uint8Array>(
    {
      // Sends the headers before anything is printed.
      start: controller => controller.enqueue(new Uint8Array()),
      async pull(controller) {
        while (at >= tail.end && !isClosed() && !isLeft) await untilWoken();
        if (isLeft) return;
        if (at >= tail.end) return controller.close();
        const found = tail.after(at);
        at = found.at;
        controller.enqueue(found.bytes);
      },
      cancel() {
        isLeft = true;
        wake();
      },
    },
    { highWaterMark: 0 },
  );
}

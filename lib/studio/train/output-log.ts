// What a run printed: the last of it kept as bytes, for any number of readers who each follow it at their own pace. A run
// waits for none of them: one that falls behind what is kept is told how much it missed, and goes on at a whole line.
import { createOutputTail, LINE_FEED, type OutputTail } from './output-tail.js';

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
  let isMidLine = false;
  let isLeft = false;
  return new ReadableStream<Uint8Array>(
    {
      // Sends the headers before anything is printed.
      start: controller => controller.enqueue(new Uint8Array()),
      async pull(controller) {
        while (at >= tail.end && !isClosed() && !isLeft) await untilWoken();
        if (isLeft) return;
        if (at >= tail.end) return controller.close();
        if (at < tail.start) {
          controller.enqueue(gapNotice(tail.start - at, isMidLine));
          at = tail.start;
        }
        const found = tail.after(at);
        at = found.at;
        isMidLine = found.bytes.at(-1) !== LINE_FEED;
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

function gapNotice(bytes: number, isMidLine: boolean): Uint8Array {
  const start = isMidLine ? '\n' : '';
  return new TextEncoder().encode(
    `${start}[${bytes.toLocaleString('en-US')} bytes left out here: they were printed faster than they were read]\n`,
  );
}

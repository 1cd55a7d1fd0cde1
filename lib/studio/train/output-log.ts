// The last part of a run's output as bytes, for any number of readers at their own pace. The run never waits for
// them: a reader that falls too far behind is told how much it missed and continues at a whole line.
import { createOutputTail, LINE_FEED, type OutputTail } from './output-tail.js';

export interface OutputLog {
  append(bytes: Uint8Array): void;
  /** Marks the output as complete. */
  close(): void;
  /** Everything kept so far, then live output. */
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
      // Sends the headers before there is any output.
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
    `${start}[${bytes.toLocaleString('en-US')} bytes skipped: the output came faster than it was read]\n`,
  );
}

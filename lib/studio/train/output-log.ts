// The last part of a run's output as bytes, for any number of readers at their own pace. The run never waits for
// them: a reader that falls too far behind is told how much it missed and continues at a whole line.

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

interface OutputTail {
  /** The offset of the first byte kept, and the offset after the last. */
  readonly start: number;
  readonly end: number;
  append(bytes: Uint8Array): void;
  /** Bytes after an offset, and the offset where they end. Dropped bytes are skipped. */
  after(at: number): { bytes: Uint8Array; at: number };
}

const LINE_FEED = 10;
const CHUNK_BYTES = 16 * 1024;
/** Moves to the start of the line and erases it. */
const ERASE = Buffer.from('\r\u001b[2K');

/** After an erased line, the next chunk starts later than the previous one ends. */
interface Chunk {
  at: number;
  bytes: Uint8Array;
}

/**
 * The last bytes of an endless output, addressed by their offset from the beginning. They start at a whole
 * line, or at a whole character if a single line exceeds the limit. A line that is erased before it ends,
 * such as a progress bar, is not kept for later readers.
 */
function createOutputTail(limit: number): OutputTail {
  const chunks: Chunk[] = [];
  let size = 0;
  let start = 0;
  let end = 0;

  function drop(count: number): void {
    const first = chunks[0]!;
    if (count < first.bytes.length) chunks[0] = { at: first.at + count, bytes: first.bytes.subarray(count) };
    else chunks.shift();
    size -= count;
    start = chunks[0]?.at ?? end;
  }

  /** Drops a leading partial line, unless no complete line follows it. */
  function dropRestOfLine(): void {
    const place = chunks.findIndex(({ bytes }) => bytes.includes(LINE_FEED));
    const rest = lengthOf(chunks.slice(0, place)) + (chunks[place]?.bytes.indexOf(LINE_FEED) ?? 0) + 1;
    if (place >= 0 && rest < size) return void dropAll(rest);
    drop(1);
    drop(restOfCharacter(chunks[0]!.bytes));
  }

  function dropAll(bytes: number): void {
    for (let left = bytes; left > 0; ) {
      const count = Math.min(chunks[0]!.bytes.length, left);
      drop(count);
      left -= count;
    }
  }

  /** Drops what came after the last line feed. */
  function dropOpenLine(): void {
    for (let last = chunks.at(-1); last; last = chunks.at(-1)) {
      const kept = last.bytes.lastIndexOf(LINE_FEED) + 1;
      size -= last.bytes.length - kept;
      last.bytes = last.bytes.subarray(0, kept);
      if (kept > 0) return;
      chunks.pop();
    }
  }

  return {
    get start() {
      return start;
    },
    get end() {
      return end;
    },
    append(bytes) {
      if (ERASE.equals(bytes.subarray(0, ERASE.length))) dropOpenLine();
      addTo(chunks, { at: end, bytes });
      size += bytes.length;
      end += bytes.length;
      if (size <= limit) return;
      // Leaves one extra byte to look at: if it ends a line, the next line is already whole.
      dropAll(size - limit - 1);
      if (chunks[0]!.bytes[0] === LINE_FEED) drop(1);
      else dropRestOfLine();
    },
    after(at) {
      const next = chunks.find(chunk => at < chunk.at + chunk.bytes.length);
      if (!next) return { bytes: new Uint8Array(), at: end };
      const bytes = next.bytes.subarray(Math.max(0, at - next.at));
      return { bytes, at: next.at + next.bytes.length };
    },
  };
}

/** Merges small chunks; one per line would be too many. */
function addTo(chunks: Chunk[], { at, bytes }: Chunk): void {
  const last = chunks.at(-1);
  const isNext = last && last.at + last.bytes.length === at;
  if (isNext && last.bytes.length + bytes.length <= CHUNK_BYTES)
    last.bytes = Buffer.concat([last.bytes, bytes]);
  else chunks.push({ at, bytes });
}

function lengthOf(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** How many leading bytes belong to a character cut in half. */
function restOfCharacter(bytes: Uint8Array): number {
  let count = 0;
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++;
  return count;
}

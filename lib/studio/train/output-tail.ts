// The last bytes of something that is written without end, each at its place from the beginning. They begin with a whole
// line, or with a whole character where a line is as long as all that is kept. Pure.

export interface OutputTail {
  /** The place of the first byte that is kept, and the one behind the last. */
  readonly start: number;
  readonly end: number;
  append(bytes: Uint8Array): void;
  /** Some of what follows on a place, and where that ends. What is no longer kept is left out. */
  after(at: number): { bytes: Uint8Array; at: number };
}

export const LINE_FEED = 10;
const CHUNK_BYTES = 16 * 1024;

export function createOutputTail(limit: number): OutputTail {
  const chunks: Uint8Array[] = [];
  let start = 0;
  let end = 0;

  function drop(bytes: number): void {
    const first = chunks.shift()!;
    if (bytes < first.length) chunks.unshift(first.subarray(bytes));
    start += bytes;
  }

  /** So that a whole line is first; a line that has not ended yet, or nothing behind it, keeps what there is of it. */
  function dropRestOfLine(): void {
    const place = chunks.findIndex(chunk => chunk.includes(LINE_FEED));
    const rest = lengthOf(chunks.slice(0, place)) + (chunks[place]?.indexOf(LINE_FEED) ?? 0) + 1;
    if (place >= 0 && rest < end - start) return void dropAll(rest);
    drop(1);
    drop(restOfCharacter(chunks[0]!));
  }

  function dropAll(bytes: number): void {
    for (let left = bytes; left > 0; ) {
      const count = Math.min(chunks[0]!.length, left);
      drop(count);
      left -= count;
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
      addTo(chunks, bytes);
      end += bytes.length;
      if (end - start <= limit) return;
      // One more than what has to go: where that one ends a line, the next is whole already.
      dropAll(end - start - limit - 1);
      if (chunks[0]![0] === LINE_FEED) drop(1);
      else dropRestOfLine();
    },
    after(at) {
      let from = start;
      for (const chunk of chunks) {
        const to = from + chunk.length;
        if (at < to) return { bytes: chunk.subarray(Math.max(0, at - from)), at: to };
        from = to;
      }
      return { bytes: new Uint8Array(), at };
    },
  };
}

/** Small parts are put together: a line each would be a great many. */
function addTo(chunks: Uint8Array[], bytes: Uint8Array): void {
  const last = chunks.at(-1);
  if (last && last.length + bytes.length <= CHUNK_BYTES)
    chunks[chunks.length - 1] = Buffer.concat([last, bytes]);
  else chunks.push(bytes);
}

function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

/** How many bytes at the beginning belong to a character that was cut in two. */
function restOfCharacter(bytes: Uint8Array): number {
  let count = 0;
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++;
  return count;
}

// The last bytes of an endless output, addressed by their offset from the beginning. They start at a whole line, or
// at a whole character if a single line exceeds the limit. Pure.

export interface OutputTail {
  /** The offset of the first byte kept, and the offset after the last. */
  readonly start: number;
  readonly end: number;
  append(bytes: Uint8Array): void;
  /** Some of the bytes after an offset, and the offset where they end. Dropped bytes are skipped. */
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

  /** Makes a whole line come first. A partial line with no complete line after it is kept. */
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
      // Leaves one extra byte to look at: if it ends a line, the next line is already whole.
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

/** Merges small chunks; one per line would be too many. */
function addTo(chunks: Uint8Array[], bytes: Uint8Array): void {
  const last = chunks.at(-1);
  if (last && last.length + bytes.length <= CHUNK_BYTES)
    chunks[chunks.length - 1] = Buffer.concat([last, bytes]);
  else chunks.push(bytes);
}

function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

/** How many leading bytes belong to a character cut in half. */
function restOfCharacter(bytes: Uint8Array): number {
  let count = 0;
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++;
  return count;
}

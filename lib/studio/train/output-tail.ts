// The last bytes of something that is written without end, each at its place from the beginning. Pure.

export interface OutputTail {
  /** The place of the first byte that is kept, and the one behind the last. */
  readonly start: number;
  readonly end: number;
  append(bytes: Uint8Array): void;
  /** Some of what follows on a place, and where that ends. What is no longer kept is left out. */
  after(at: number): { bytes: Uint8Array; at: number };
}

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
      while (end - start > limit) drop(Math.min(chunks[0]!.length, end - start - limit));
      drop(restOfCharacter(chunks[0]!));
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

/** How many bytes at the beginning belong to a character that was cut in two. */
function restOfCharacter(bytes: Uint8Array): number {
  let count = 0;
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++;
  return count;
}

// The lines of a file as they are read. Only line feeds end them, since a JSON text may contain all other line ends.
const NEW_LINE = 0x0a;

interface Line {
  /** Counts from 1. */
  number: number;
  /** Null if it is longer than the limit. */
  bytes: Uint8Array | null;
}

/** Leaves out blank lines. Holds no more than a line of `longest` bytes. */
export async function* splitLines(
  body: AsyncIterable<Uint8Array>,
  longest = Number.POSITIVE_INFINITY,
): AsyncGenerator<Line> {
  let begun: Uint8Array[] = [];
  let [length, number] = [0, 0];

  function add(part: Uint8Array): void {
    length += part.length;
    if (length <= longest) begun.push(part);
  }

  function* end(): Generator<Line> {
    const bytes = length > longest ? null : Buffer.concat(begun);
    [begun, length] = [[], 0];
    number++;
    if (!bytes || !isBlank(bytes)) yield { number, bytes };
  }

  for await (const chunk of body) {
    let from = 0;
    for (let to = chunk.indexOf(NEW_LINE); to >= 0; to = chunk.indexOf(NEW_LINE, from)) {
      add(chunk.subarray(from, to));
      yield* end();
      from = to + 1;
    }
    add(chunk.subarray(from));
  }
  yield* end();
}

/** Nothing but spaces, tabs, and the rest of a line end on Windows. */
const isBlank = (bytes: Uint8Array) => bytes.every(byte => byte === 0x20 || byte === 0x09 || byte === 0x0d);

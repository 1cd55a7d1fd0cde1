// Reads bytes that arrive in chunks of any size, in pieces of the size you want.

export interface ByteReader {
  /** Exactly this many bytes. */
  take(count: number): Promise<Uint8Array>;
  /** This many bytes, in chunks as they arrive. */
  stream(count: number): AsyncGenerator<Uint8Array>;
}

export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const pieces = source[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);

  async function* stream(count: number): AsyncGenerator<Uint8Array> {
    for (let missing = count; missing > 0; ) {
      if (rest.length === 0) {
        const { done, value } = await pieces.next();
        if (done) throw new Error('The archive is incomplete.');
        rest = value;
      }
      const piece = rest.subarray(0, missing);
      rest = rest.subarray(piece.length);
      missing -= piece.length;
      if (piece.length > 0) yield piece;
    }
  }

  async function take(count: number): Promise<Uint8Array> {
    const taken = new Uint8Array(count);
    let at = 0;
    for await (const piece of stream(count)) {
      taken.set(piece, at);
      at += piece.length;
    }
    return taken;
  }

  return { take, stream };
}

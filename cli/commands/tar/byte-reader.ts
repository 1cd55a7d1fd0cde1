// Bytes that come in pieces of any size, taken in pieces of the size that is wanted.

export interface ByteReader {
  /** Exactly so many bytes. */
  take(count: number): Promise<Uint8Array>;
  /** So many bytes, in pieces as they come. */
  stream(count: number): AsyncGenerator<Uint8Array>;
}

export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const pieces = source[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);

  async function* stream(count: number): AsyncGenerator<Uint8Array> {
    for (let missing = count; missing > 0; ) {
      if (rest.length === 0) {
        const { done, value } = await pieces.next();
        if (done) throw new Error('The archive broke off before its end.');
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

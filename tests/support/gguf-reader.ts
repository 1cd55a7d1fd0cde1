// Reads a GGUF file byte by byte, by the format's own description.

/** Reads on from where it is. */
export function createGgufReader(bytes: Uint8Array) {
  const view = Buffer.from(bytes);
  let at = 0;
  const take = (length: number) => {
    at += length;
    return at - length;
  };
  const text = (length: number) => view.toString('utf8', take(length), at);
  const uint64 = () => Number(view.readBigUInt64LE(take(8)));
  return {
    text,
    uint64,
    string: () => text(uint64()),
    uint32: () => view.readUInt32LE(take(4)),
    float32: () => view.readFloatLE(take(4)),
    position: () => at,
  };
}

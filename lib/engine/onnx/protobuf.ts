// A minimal protobuf writer: the field types that an ONNX model uses, appended to a list of chunks.

const encoder = new TextEncoder();

export class Message {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  /** An int64: negative numbers are written in two's complement. */
  int(field: number, value: number | bigint): this {
    return this.#varint(field << 3).#varint(BigInt.asUintN(64, BigInt(value)));
  }

  float(field: number, value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    return this.#varint((field << 3) | 5).#push(bytes);
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#varint((field << 3) | 2)
      .#varint(value.byteLength)
      .#push(value);
  }

  string(field: number, value: string): this {
    return this.bytes(field, encoder.encode(value));
  }

  message(field: number, value: Message): this {
    this.#varint((field << 3) | 2).#varint(value.#length);
    for (const chunk of value.#chunks) this.#push(chunk);
    return this;
  }

  toBytes(): Uint8Array {
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.byteLength;
    }
    return all;
  }

  #varint(value: number | bigint): this {
    const bytes: number[] = [];
    let rest = BigInt(value);
    do {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      bytes.push(rest > 0n ? low | 0x80 : low);
    } while (rest > 0n);
    return this.#push(Uint8Array.from(bytes));
  }

  #push(bytes: Uint8Array): this {
    this.#chunks.push(bytes);
    this.#length += bytes.byteLength;
    return this;
  }
}

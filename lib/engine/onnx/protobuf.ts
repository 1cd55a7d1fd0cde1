// A minimal protobuf writer: the field types that an ONNX model uses.

const encoder = new TextEncoder();

export class Message {
  #bytes = new Uint8Array(64);
  #length = 0;

  /** An int64: negative numbers are written in two's complement. */
  int(field: number, value: number | bigint): this {
    return this.#varint(field << 3).#varint(value);
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
    return this.bytes(field, value.#bytes.subarray(0, value.#length));
  }

  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #varint(value: number | bigint): this {
    this.#reserve(10);
    if (typeof value === 'bigint' || value < 0 || value > 0x7fffffff) return this.#longVarint(BigInt(value));
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#length++] = rest;
    return this;
  }

  #longVarint(value: bigint): this {
    let rest = BigInt.asUintN(64, value);
    for (; rest > 0x7fn; rest >>= 7n) this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80;
    this.#bytes[this.#length++] = Number(rest);
    return this;
  }

  #push(bytes: Uint8Array): this {
    this.#reserve(bytes.byteLength);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.byteLength;
    return this;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

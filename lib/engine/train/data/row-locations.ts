// The locations of a data set's rows, in a few bytes each, since there may be many millions.

const BLOCK = 1 << 16;
const FOUR_BYTES = 2 ** 32;

/** Integers below 2^40 in five bytes each. Grows without copying. */
class LongNumbers {
  readonly #low: Uint32Array[] = [];
  readonly #high: Uint8Array[] = [];

  set(index: number, value: number): void {
    const block = Math.floor(index / BLOCK);
    if (block === this.#low.length) {
      this.#low.push(new Uint32Array(BLOCK));
      this.#high.push(new Uint8Array(BLOCK));
    }
    this.#low[block]![index % BLOCK] = value % FOUR_BYTES;
    this.#high[block]![index % BLOCK] = Math.floor(value / FOUR_BYTES);
  }

  get(index: number): number {
    const block = Math.floor(index / BLOCK);
    return this.#high[block]![index % BLOCK]! * FOUR_BYTES + this.#low[block]![index % BLOCK]!;
  }
}

interface RowLocation {
  readonly start: number;
  readonly bytes: number;
  readonly number: number;
}

/** The rows of one file, in ascending order of their numbers. */
export class RowLocations {
  readonly #starts = new LongNumbers();
  readonly #lengths: Uint32Array[] = [];
  /** A row's number is its index plus an offset. Each entry sets the offset from an index on. */
  readonly #jumps: { index: number; offset: number }[] = [];
  length = 0;

  add(start: number, bytes: number, number: number): void {
    const index = this.length++;
    const block = Math.floor(index / BLOCK);
    if (block === this.#lengths.length) this.#lengths.push(new Uint32Array(BLOCK));
    this.#lengths[block]![index % BLOCK] = bytes;
    this.#starts.set(index, start);
    const offset = number - index;
    if (offset !== this.#jumps.at(-1)?.offset) this.#jumps.push({ index, offset });
  }

  bytesOf(index: number): number {
    return this.#lengths[Math.floor(index / BLOCK)]![index % BLOCK]!;
  }

  at(index: number): RowLocation {
    return {
      start: this.#starts.get(index),
      bytes: this.bytesOf(index),
      number: index + this.#offsetAt(index),
    };
  }

  #offsetAt(index: number): number {
    let low = 0;
    let high = this.#jumps.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#jumps[middle]!.index <= index) low = middle;
      else high = middle - 1;
    }
    return this.#jumps[low]!.offset;
  }
}

// The keys and values of texts in progress, one slot a text: arrays [slots, kvHeads, capacity, headDim], the used slots
// first, so that any number of them can be fed without a copy. Slots and capacity come in buckets.
import { cacheName, type ModelConfig } from '../model/index.js';
import type { ShapedValues } from '../runtime/index.js';
import { lengthBucket, slotBucket } from './buckets.js';

interface Block {
  layer: number;
  part: 'k' | 'v';
  values: Float32Array;
}

/** Rows of one slot within an array. */
interface Rows {
  values: Float32Array;
  slot: number;
  /** How many rows a head has in this array. */
  capacity: number;
  start?: number;
}

interface Size {
  slots: number;
  /** Rows of a head. */
  capacity: number;
}

export class KvCache {
  readonly #lengths: number[] = [];
  readonly #blocks: readonly Block[];
  readonly #heads: number;
  readonly #dim: number;
  #slots = 0;
  #capacity = 0;

  constructor({ layers, kvHeads, headDim }: Pick<ModelConfig, 'layers' | 'kvHeads' | 'headDim'>) {
    this.#heads = kvHeads;
    this.#dim = headDim;
    this.#blocks = Array.from({ length: layers }, (_, layer) =>
      (['k', 'v'] as const).map(part => ({ layer, part, values: new Float32Array(0) })),
    ).flat();
  }

  /** How many tokens each used slot holds. */
  get lengths(): readonly number[] {
    return this.#lengths;
  }

  get capacity(): number {
    return this.#capacity;
  }

  get bytes(): number {
    return this.#blocks.reduce((sum, { values }) => sum + values.byteLength, 0);
  }

  /** What it takes once each of the slots has so many more tokens. */
  bytesAfter(tokens: number): number {
    const { slots, capacity } = this.#sizeFor(this.#lengths.length, Math.max(0, ...this.#lengths) + tokens);
    return this.#blocks.length * slots * this.#heads * capacity * this.#dim * Float32Array.BYTES_PER_ELEMENT;
  }

  /** A slot for a text of which nothing is cached yet. */
  addEmpty(): void {
    this.#reserve(this.#lengths.length + 1, 0);
    this.#lengths.push(0);
  }

  /** A slot with what the first slot of another cache holds. */
  addFrom(other: KvCache): void {
    const slot = this.#lengths.length;
    const length = other.#lengths[0]!;
    this.#reserve(slot + 1, length);
    this.#blocks.forEach(({ values }, i) => {
      const from = { values: other.#blocks[i]!.values, slot: 0, capacity: other.#capacity };
      this.#copy(from, { values, slot, capacity: this.#capacity }, length);
    });
    this.#lengths.push(length);
  }

  /** Drops a slot; the last one takes its place. */
  remove(slot: number): void {
    const length = this.#lengths.pop()!;
    const last = this.#lengths.length;
    if (slot !== last) {
      this.#lengths[slot] = length;
      for (const { values } of this.#blocks) {
        const at = { values, capacity: this.#capacity };
        this.#copy({ ...at, slot: last }, { ...at, slot }, length);
      }
    }
    this.#reserve(last, 0);
  }

  /** Takes over what another cache holds, without a copy. Only while this one is empty; the other is, afterwards. */
  takeOver(other: KvCache): void {
    this.#blocks.forEach((block, i) => {
      block.values = other.#blocks[i]!.values;
    });
    this.#lengths.push(...other.#lengths);
    this.#slots = other.#slots;
    this.#capacity = other.#capacity;
    other.clear();
  }

  /** Gives back what it keeps to grow into. */
  compact(): void {
    const slots = slotBucket(this.#lengths.length, 0);
    this.#layOut({ slots, capacity: lengthBucket(Math.max(0, ...this.#lengths), 0) });
  }

  clear(): void {
    this.#lengths.length = 0;
    this.#reserve(0, 0);
  }

  /** What the graph is fed: the used slots, as they lie. */
  inputs(): Record<string, ShapedValues> {
    const shape = [this.#lengths.length, this.#heads, this.#capacity, this.#dim];
    const size = shape.reduce((product, length) => product * length, 1);
    return Object.fromEntries(
      this.#blocks.map(({ layer, part, values }) => [
        cacheName('past', layer, part),
        { values: values.subarray(0, size), shape },
      ]),
    );
  }

  /** Appends rows to every slot, from outputs [slots, kvHeads, tokens, headDim]. */
  append(outputs: Readonly<Record<string, Float32Array>>, tokens: number): void {
    this.#reserve(this.#lengths.length, Math.max(...this.#lengths) + tokens);
    for (const { layer, part, values } of this.#blocks) {
      const fresh = outputs[cacheName('fresh', layer, part)]!;
      this.#lengths.forEach((start, slot) => {
        const to = { values, slot, capacity: this.#capacity, start };
        this.#copy({ values: fresh, slot, capacity: tokens }, to, tokens);
      });
    }
    for (const slot of this.#lengths.keys()) this.#lengths[slot]! += tokens;
  }

  /** Makes room for so many slots and rows, or gives back what is no longer needed. */
  #reserve(slotsNeeded: number, rowsNeeded: number): void {
    this.#layOut(this.#sizeFor(slotsNeeded, rowsNeeded));
  }

  #sizeFor(slotsNeeded: number, rowsNeeded: number): Size {
    const slots = slotBucket(slotsNeeded, this.#slots);
    const longest = Math.max(rowsNeeded, ...this.#lengths);
    return { slots, capacity: slots === 0 ? 0 : lengthBucket(longest, this.#capacity) };
  }

  #layOut({ slots, capacity }: Size): void {
    if (slots === this.#slots && capacity === this.#capacity) return;
    for (const block of this.#blocks) {
      const values = new Float32Array(slots * this.#heads * capacity * this.#dim);
      this.#lengths.forEach((length, slot) => {
        const from = { values: block.values, slot, capacity: this.#capacity };
        this.#copy(from, { values, slot, capacity }, length);
      });
      block.values = values;
    }
    this.#slots = slots;
    this.#capacity = capacity;
  }

  #copy(from: Rows, to: Rows, rows: number): void {
    const place = ({ slot, capacity, start = 0 }: Rows, head: number) =>
      ((slot * this.#heads + head) * capacity + start) * this.#dim;
    for (let head = 0; head < this.#heads; head++) {
      const at = place(from, head);
      to.values.set(from.values.subarray(at, at + rows * this.#dim), place(to, head));
    }
  }
}

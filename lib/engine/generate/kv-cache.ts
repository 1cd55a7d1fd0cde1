// The KV cache, with one slot per sequence: arrays [slots, kvHeads, capacity, headDim], and the states of layers that do not
// attend. Used slots come first, so that any number of them can be fed without a copy. Slots and capacity grow in buckets. Rows
// that no token has are 0: what the mask hides is computed with all the same, and a number that is not finite would spread. A GPU
// has its own copy of the slots that it computes, and alone has their states.
import { sizeOf } from '../graph/index.js';
import { type CacheShape, cacheName, FRESH_ROWS, ROWS_AT } from '../model/index.js';
import { type Inputs, type Kept, keep } from '../runtime/index.js';
import { layoutSize, lengthBucket, slotBucket } from './cache-budget.js';
import type { CachePart, DeviceStore, Held } from './device-store.js';
import { HeldSlots } from './held-slots.js';
import { LayerStates } from './layer-states.js';

interface Block {
  layer: number;
  part: 'k' | 'v';
  values: Float32Array;
}

/** A range of rows of one slot within an array. */
interface Rows {
  values: Float32Array;
  slot: number;
  /** Rows per head in this array. */
  capacity: number;
  start?: number;
}

interface Size {
  slots: number;
  /** Rows per head. */
  capacity: number;
}

/** In values. */
const SHORT = 128;

/** A GPU was left that had the only states of a text: its tokens have to be computed again. */
export class StatesLostError extends Error {}

export class KvCache {
  readonly #lengths: number[] = [];
  readonly #blocks: readonly Block[];
  readonly #heads: number;
  readonly #dim: number;
  /** Kept for as long as slots and memory stay the same. */
  #kept: { slots: number; inputs: Readonly<Record<string, Kept>> } | null = null;
  readonly #there = new HeldSlots();
  #slots = 0;
  #capacity = 0;

  readonly #shape: CacheShape;
  readonly #states: LayerStates;

  constructor(shape: CacheShape) {
    const { attending, kvHeads, headDim } = shape;
    this.#shape = shape;
    this.#heads = kvHeads;
    this.#dim = headDim;
    this.#blocks = attending.flatMap(layer =>
      (['k', 'v'] as const).map(part => ({ layer, part, values: new Float32Array(0) })),
    );
    this.#states = new LayerStates(shape.states);
  }

  /** The number of tokens in each used slot. */
  get lengths(): readonly number[] {
    return this.#lengths;
  }

  get capacity(): number {
    return this.#capacity;
  }

  get bytes(): number {
    return this.#blocks.reduce((sum, { values }) => sum + values.byteLength, this.#states.bytes);
  }

  /** The size after appending this many tokens to every slot. */
  bytesAfter(tokens: number): number {
    const { slots, capacity } = this.#sizeFor(this.#lengths.length, Math.max(0, ...this.#lengths) + tokens);
    return layoutSize(this.#shape, slots, capacity) + this.#states.keptBytes;
  }

  /** Adds an empty slot. */
  addEmpty(): void {
    this.#reserve(this.#lengths.length + 1, 0);
    this.#lengths.push(0);
    this.#states.add();
    this.#there.add();
  }

  /** Adds slots with a copy of another cache's slot, or of its first tokens: `longestCopy` says of how many. */
  addFrom(
    other: KvCache,
    {
      from = 0,
      length = other.#lengths[from]!,
      times = 1,
    }: { from?: number; length?: number; times?: number } = {},
  ): void {
    this.#reserve(this.#lengths.length + times, length);
    for (let time = 0; time < times; time++) {
      const slot = this.#lengths.length;
      this.#blocks.forEach(({ values }, i) => {
        const source = { values: other.#blocks[i]!.values, slot: from, capacity: other.#capacity };
        this.#copy(source, { values, slot, capacity: this.#capacity }, length);
      });
      this.#lengths.push(length);
      const total = other.#lengths[from]!;
      this.#states.addFrom(other.#states, from, length, total);
      this.#there.addFrom(other.#there, from, { differs: this.#states.any && length < total });
    }
  }

  /** The most of a slot's first tokens, up to this many, that a copy can have. */
  longestCopy(slot: number, most: number): number {
    return this.#states.longestCopy(slot, most, this.#lengths[slot]!);
  }

  /** Lets copies have as many tokens as a slot has now, even after it has grown. */
  keepSnapshot(slot: number): void {
    this.#states.keep(slot, this.#lengths[slot]!);
  }

  /** A copy of the first tokens of one slot, on no device. */
  extract(slot: number, length: number): KvCache {
    const copy = new KvCache(this.#shape);
    copy.addFrom(this, { from: slot, length });
    copy.#there.forget();
    return copy;
  }

  /** Removes a slot; the last one takes its place. */
  remove(slot: number): void {
    if (this.#lengths.length === 1) {
      this.clear();
      return;
    }
    const removed = this.#lengths[slot]!;
    const length = this.#lengths.pop()!;
    const last = this.#lengths.length;
    if (slot !== last) this.#lengths[slot] = length;
    for (const { values } of this.#blocks) {
      const at = { values, capacity: this.#capacity };
      if (slot !== last) {
        this.#copy({ ...at, slot: last }, { ...at, slot }, length);
        this.#empty({ ...at, slot, start: length }, removed - length);
      }
      this.#empty({ ...at, slot: last }, length);
    }
    this.#states.remove(slot);
    this.#there.remove(slot);
    this.#reserve(last, 0);
  }

  /** Moves the content of another cache into this one, which must be empty, without a copy. The other is then empty. */
  takeOver(other: KvCache): void {
    this.#blocks.forEach((block, i) => {
      block.values = other.#blocks[i]!.values;
    });
    this.#lengths.push(...other.#lengths);
    this.#states.takeOver(other.#states);
    this.#slots = other.#slots;
    this.#capacity = other.#capacity;
    this.#kept = null;
    this.#there.takeOver(other.#there);
    other.clear();
  }

  /** Frees the spare capacity. */
  compact(): void {
    const slots = slotBucket(this.#lengths.length, 0);
    this.#resize({ slots, capacity: lengthBucket(Math.max(0, ...this.#lengths), 0) });
  }

  clear(): void {
    this.#there.clear();
    this.#lengths.length = 0;
    this.#states.clear();
    this.#reserve(0, 0);
  }

  /** The inputs of a graph whose cache stays on a device, where what is missing is sent. Makes room for the new rows. */
  async inputsThere(store: DeviceStore, tokens: number): Promise<Inputs> {
    this.#reserve(this.#lengths.length, Math.max(...this.#lengths) + tokens);
    const past = await this.#there.gather(store, this.#capacity, slot => this.#partOf(slot));
    return { ...past, [ROWS_AT]: this.#placesOf(tokens) };
  }

  /** A slot with no more rows than it has tokens; null if it has none. */
  #partOf(slot: number): CachePart | null {
    const length = this.#lengths[slot]!;
    if (length === 0) return null;
    const shape = [1, this.#heads, length, this.#dim];
    const rows = this.#blocks.map(({ layer, part, values }) => {
      const own = new Float32Array(sizeOf(shape));
      this.#copy(
        { values, slot, capacity: this.#capacity },
        { values: own, slot: 0, capacity: length },
        length,
      );
      return [cacheName('past', layer, part), keep(own, shape)] as const;
    });
    return {
      tensors: { ...Object.fromEntries(rows), ...this.#states.inputs(slot, slot + 1) },
      slots: 1,
      capacity: length,
    };
  }

  /** Where a device writes the new rows. */
  #placesOf(tokens: number) {
    const shape = [this.#lengths.length, this.#heads, tokens, 3];
    const values = new BigInt64Array(sizeOf(shape));
    let at = 0;
    for (const [slot, length] of this.#lengths.entries())
      for (let head = 0; head < this.#heads; head++)
        for (let token = 0; token < tokens; token++)
          for (const place of [slot, head, length + token]) values[at++] = BigInt(place);
    return { values, shape };
  }

  /** Appends what a device has computed, which keeps `held`, its own copy. */
  appendThere(
    { [FRESH_ROWS]: rows, ...outputs }: Readonly<Record<string, Float32Array>>,
    held: Held,
    tokens: number,
  ): void {
    const size = rows ? rows.length / this.#blocks.length : 0;
    const fresh = this.#blocks.map(({ layer, part }, i) => [
      cacheName('fresh', layer, part),
      rows!.subarray(i * size, (i + 1) * size),
    ]);
    this.append({ ...outputs, ...Object.fromEntries(fresh) }, tokens);
    this.#there.replace(held, this.#capacity);
  }

  /** The inputs of the graph: the used slots, without a copy. */
  inputs(): Readonly<Record<string, Kept>> {
    const slots = this.#lengths.length;
    this.#there.forget();
    if (!this.#states.areHere)
      throw new StatesLostError('The states of a text were on a GPU that is not used anymore.');
    if (this.#kept?.slots === slots) return this.#kept.inputs;
    const shape = [slots, this.#heads, this.#capacity, this.#dim];
    const size = sizeOf(shape);
    const inputs = Object.fromEntries(
      this.#blocks.map(({ layer, part, values }) => [
        cacheName('past', layer, part),
        keep(values.subarray(0, size), shape),
      ]),
    );
    this.#kept = { slots, inputs: { ...inputs, ...this.#states.inputs(0, slots) } };
    return this.#kept.inputs;
  }

  /** Appends rows to every slot, from outputs [slots, kvHeads, tokens, headDim], and replaces the states if they are among them. */
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
    this.#states.replace(outputs);
  }

  /** Grows to this many slots and rows, or shrinks when much less is needed. */
  #reserve(slotsNeeded: number, rowsNeeded: number): void {
    this.#resize(this.#sizeFor(slotsNeeded, rowsNeeded));
  }

  #sizeFor(slotsNeeded: number, rowsNeeded: number): Size {
    const slots = slotBucket(slotsNeeded, this.#slots);
    const longest = Math.max(rowsNeeded, ...this.#lengths);
    return { slots, capacity: slots === 0 ? 0 : lengthBucket(longest, this.#capacity) };
  }

  #resize({ slots, capacity }: Size): void {
    if (slots === this.#slots && capacity === this.#capacity) return;
    for (const block of this.#blocks) {
      const values = new Float32Array(slots * this.#heads * capacity * this.#dim);
      this.#lengths.forEach((length, slot) => {
        const from = { values: block.values, slot, capacity: this.#capacity };
        this.#copy(from, { values, slot, capacity }, length);
      });
      block.values = values;
    }
    this.#states.resize(slots);
    this.#slots = slots;
    this.#capacity = capacity;
    this.#kept = null;
  }

  #copy(from: Rows, to: Rows, rows: number): void {
    const size = rows * this.#dim;
    for (let head = 0; head < this.#heads; head++) {
      const [at, place] = [this.#placeOf(from, head), this.#placeOf(to, head)];
      // A row is copied in less time than its view is made in.
      if (size > SHORT) to.values.set(from.values.subarray(at, at + size), place);
      else for (let i = 0; i < size; i++) to.values[place + i] = from.values[at + i]!;
    }
  }

  #empty(rows: Rows, count: number): void {
    for (let head = 0; head < this.#heads; head++) {
      const at = this.#placeOf(rows, head);
      rows.values.fill(0, at, at + count * this.#dim);
    }
  }

  #placeOf({ slot, capacity, start = 0 }: Rows, head: number): number {
    return ((slot * this.#heads + head) * capacity + start) * this.#dim;
  }
}

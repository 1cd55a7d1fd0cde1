// The states of layers that do not attend, with one slot per sequence, like the KV cache. A state tells of all tokens so far and
// has no rows to cut, so a snapshot is kept at the tokens where others may continue.
import { sizeOf } from '../graph/index.js';
import { type LayerState, stateName } from '../model/index.js';
import { type Kept, keep } from '../runtime/index.js';

interface Block {
  state: LayerState;
  /** Of one slot. */
  size: number;
  /** [slots, size] */
  values: Float32Array;
}

/** The states of a slot after some of its tokens. Never changed, so caches share it. */
interface Snapshot {
  length: number;
  values: readonly Float32Array[];
}

export class LayerStates {
  readonly #blocks: readonly Block[];
  /** By slot, in the order of their lengths. */
  #snapshots: (readonly Snapshot[])[] = [];
  /** By slot: whether its values are those after all of its tokens. A GPU keeps them to itself. */
  #isHere: boolean[] = [];

  constructor(states: readonly LayerState[]) {
    this.#blocks = states.map(state => ({ state, size: sizeOf(state.shape), values: new Float32Array(0) }));
  }

  get any(): boolean {
    return this.#blocks.length > 0;
  }

  get areHere(): boolean {
    return this.#isHere.every(Boolean);
  }

  get bytes(): number {
    return this.#blocks.reduce((sum, { values }) => sum + values.byteLength, this.keptBytes);
  }

  /** Of the snapshots. */
  get keptBytes(): number {
    return this.#snapshots.flat().length * bytesOf(this.#blocks.map(({ size }) => size));
  }

  /** Adds a slot with the states before the first token. There must be room for it. */
  add(): void {
    const slot = this.#snapshots.push([]) - 1;
    this.#isHere.push(true);
    for (const block of this.#blocks) viewOf(block, slot).fill(0);
  }

  /** Adds a slot with those of another's after `length` of its `total` tokens. */
  addFrom(other: LayerStates, from: number, length: number, total: number): void {
    this.add();
    const slot = this.#snapshots.length - 1;
    const snapshots = other.#snapshots[from]!.filter(snapshot => snapshot.length <= length);
    this.#snapshots[slot] = snapshots;
    if (length === 0) return;
    if (length === total && !other.#isHere[from]) {
      this.#isHere[slot] = false;
      return;
    }
    const last = snapshots.at(-1);
    const values = length === total ? other.#valuesOf(from) : last?.length === length ? last.values : null;
    this.#blocks.forEach((block, i) => {
      if (!values) throw new Error(`The states after ${length} of ${total} tokens were not kept.`);
      viewOf(block, slot).set(values[i]!);
    });
  }

  longestCopy(slot: number, most: number, total: number): number {
    if (this.#blocks.length === 0) return Math.min(most, total);
    if (most >= total && this.#isHere[slot]) return total;
    return this.#snapshots[slot]!.findLast(({ length }) => length <= most)?.length ?? 0;
  }

  keep(slot: number, length: number): void {
    if (this.#blocks.length === 0) return;
    if (!this.#isHere[slot]) throw new Error(`The states after ${length} tokens are not here.`);
    const values = this.#valuesOf(slot).map(view => view.slice());
    this.#snapshots[slot] = [...this.#snapshots[slot]!, { length, values }];
  }

  /** Removes a slot; the last one takes its place. */
  remove(slot: number): void {
    const last = this.#snapshots.length - 1;
    for (const block of this.#blocks) viewOf(block, slot).set(viewOf(block, last));
    this.#snapshots[slot] = this.#snapshots[last]!;
    this.#snapshots.length = last;
    this.#isHere[slot] = this.#isHere[last]!;
    this.#isHere.length = last;
  }

  takeOver(other: LayerStates): void {
    this.#blocks.forEach((block, i) => {
      block.values = other.#blocks[i]!.values;
    });
    this.#snapshots = other.#snapshots;
    this.#isHere = other.#isHere;
    other.clear();
  }

  clear(): void {
    this.#snapshots = [];
    this.#isHere = [];
  }

  /** Of the slots in this range. */
  inputs(from: number, to: number): Readonly<Record<string, Kept>> {
    return Object.fromEntries(
      this.#blocks.map(({ state, size, values }) => [
        stateName('past', state),
        keep(values.subarray(from * size, to * size), [to - from, ...state.shape]),
      ]),
    );
  }

  /** Takes the states of all slots from outputs, or has none of them anymore. */
  replace(outputs: Readonly<Record<string, Float32Array>>): void {
    let isHere = true;
    for (const { state, values } of this.#blocks) {
      const found = outputs[stateName('fresh', state)];
      if (found) values.set(found);
      else isHere = false;
    }
    this.#isHere.fill(isHere);
  }

  /** Makes room for this many slots. */
  resize(slots: number): void {
    for (const block of this.#blocks) {
      const values = new Float32Array(slots * block.size);
      values.set(block.values.subarray(0, Math.min(this.#snapshots.length, slots) * block.size));
      block.values = values;
    }
  }

  #valuesOf(slot: number): Float32Array[] {
    return this.#blocks.map(block => viewOf(block, slot));
  }
}

function viewOf({ values, size }: Block, slot: number): Float32Array {
  return values.subarray(slot * size, (slot + 1) * size);
}

const bytesOf = (sizes: readonly number[]) =>
  sizes.reduce((sum, size) => sum + size, 0) * Float32Array.BYTES_PER_ELEMENT;

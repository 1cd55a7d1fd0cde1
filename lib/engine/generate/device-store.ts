// What a GPU holds between steps: the caches of texts, and the matrices of adapters. Sends what is not there yet, and arranges what is
// there. Everything is dropped with the device.
import { copyGraph, copyName, emit, GraphBuilder, gatherRows, sizeOf, type Tensor } from '../graph/index.js';
import { type CacheShape, cacheName, stateName } from '../model/index.js';
import {
  createSession,
  type Inputs,
  integers,
  type Kept,
  keep,
  type Session,
  type SessionOptions,
} from '../runtime/index.js';

export type KeptByName = Readonly<Record<string, Kept>>;

/** Tensors on a device, until their last user releases them or the device is left. */
export class Held {
  #tensors: KeptByName | null;
  #users = 0;
  readonly #onDropped: () => void;

  constructor(tensors: KeptByName, onDropped: () => void) {
    this.#tensors = tensors;
    this.#onDropped = onDropped;
  }

  get isThere(): boolean {
    return this.#tensors !== null;
  }

  get tensors(): KeptByName {
    if (!this.#tensors) throw new Error('A device does not hold this anymore.');
    return this.#tensors;
  }

  retain(): this {
    this.#users++;
    return this;
  }

  release(): void {
    this.#users--;
    if (this.#users === 0) this.drop();
  }

  drop(): void {
    const tensors = Object.values(this.#tensors ?? {});
    this.#tensors = null;
    this.#onDropped();
    try {
      for (const tensor of tensors) tensor.dispose();
    } catch {
      // A device that was lost holds nothing anymore.
    }
  }
}

/** The inputs of some slots of a cache, wherever they are. */
export interface CachePart {
  tensors: KeptByName;
  slots: number;
  /** Rows per head. */
  capacity: number;
}

export interface DeviceStore {
  /** A slot without tokens. */
  empty(): Promise<CachePart>;
  /** Takes over tensors that were computed there. */
  hold(tensors: KeptByName): Held;
  /** Copies of tensors, made once for as long as the same tensors are used every now and then. */
  copiesOf(tensors: KeptByName): Promise<KeptByName>;
  /** The slots of the first part, then those of the second, as `slotsAt` numbers them. Each gets this many rows. */
  arrange(
    parts: readonly [CachePart, CachePart | undefined],
    slotsAt: readonly number[],
    capacity: number,
  ): Promise<Held>;
  /** The states among the inputs of the next step, by the names that a step here gives them. */
  readStates(past: KeptByName): Promise<Record<string, Float32Array>>;
  close(): Promise<void>;
}

/** The adapters that stay; more are kept only while a step needs them. */
const MOST_COPIES_BYTES = 512 * 2 ** 20;
/** A prompt is read with one adapter, while others answer with several. */
const FEWEST_COPIES = 2;

export function createDeviceStore(shape: CacheShape, options: SessionOptions): DeviceStore {
  const held = new Set<Held>();
  const sessions = new Map<string, Session>();
  const copies = new WeakMap<KeptByName, Held>();
  /** The copies, least recently used first. */
  const recent = new Set<Held>();
  let emptySlot: CachePart | undefined;

  async function open(name: string, build: () => GraphBuilder, isKept: boolean): Promise<Session> {
    const found = sessions.get(name);
    if (found) return found;
    const graph = build();
    const keeps = isKept ? graph.outputs.map(output => output.name) : [];
    const session = await createSession(graph, { ...options, keeps });
    sessions.set(name, session);
    return session;
  }

  function hold(tensors: KeptByName): Held {
    const taken: Held = new Held(tensors, () => held.delete(taken));
    held.add(taken);
    return taken;
  }

  async function copy(tensors: KeptByName): Promise<Held> {
    const named = Object.entries(tensors).map(([name, { dims }]) => ({
      name,
      // Of any size: adapters have different ranks.
      shape: dims.map((_, axis) => `${name}.${axis}`),
    }));
    const session = await open(`copies of ${named[0]!.name}`, () => copyGraph(named), true);
    const { kept } = await session.runAndKeep(tensors);
    return hold(Object.fromEntries(named.map(({ name }) => [name, kept[copyName(name)]!])));
  }

  async function empty(): Promise<CachePart> {
    emptySlot ??= { tensors: (await copy(emptyTensors(shape))).tensors, slots: 1, capacity: 1 };
    return emptySlot;
  }

  function dropOldCopies(): void {
    let bytes = [...recent].reduce((sum, { tensors }) => sum + bytesOf(tensors), 0);
    for (const copied of recent) {
      if (bytes <= MOST_COPIES_BYTES || recent.size <= FEWEST_COPIES) return;
      bytes -= bytesOf(copied.tensors);
      recent.delete(copied);
      copied.drop();
    }
  }

  return {
    empty,
    hold,
    async copiesOf(tensors) {
      if (Object.keys(tensors).length === 0) return tensors;
      const known = copies.get(tensors);
      const copied = known?.isThere ? known : await copy(tensors);
      copies.set(tensors, copied);
      recent.delete(copied);
      recent.add(copied);
      dropOldCopies();
      return copied.tensors;
    },
    async arrange([past, other], slotsAt, capacity) {
      const more = other ?? (await empty());
      const session = await open('arrange', () => buildArrangingGraph(shape), true);
      const { kept } = await session.runAndKeep(past.tensors, asMore(more.tensors), {
        [SLOTS_AT]: integers(slotsAt),
        [PAST_ROWS]: integers(rowsFrom(past, capacity)),
        [MORE_ROWS]: integers(rowsFrom(more, capacity)),
      });
      return hold(asPast(kept));
    },
    async readStates(past) {
      const { states } = shape;
      if (states.length === 0) return {};
      const named = states.map(state => ({
        name: stateName('past', state),
        shape: ['batch', ...state.shape],
      }));
      const session = await open('states', () => copyGraph(named), false);
      const found = await session.run(Object.fromEntries(named.map(({ name }) => [name, past[name]!])));
      return Object.fromEntries(
        states.map((state, i) => [stateName('fresh', state), found[copyName(named[i]!.name)]!]),
      );
    },
    async close() {
      for (const one of [...held]) one.drop();
      recent.clear();
      emptySlot = undefined;
      const opened = [...sessions.values()];
      sessions.clear();
      for (const session of opened) await session.close();
    },
  };
}

const bytesOf = (tensors: KeptByName) =>
  Object.values(tensors).reduce((sum, { size }) => sum + size * Float32Array.BYTES_PER_ELEMENT, 0);

const [SLOTS_AT, PAST_ROWS, MORE_ROWS] = ['slotsAt', 'pastRowsAt', 'moreRowsAt'];

/** Reorders the slots of two caches and takes the requested number of rows. */
function buildArrangingGraph({ attending, kvHeads, headDim, states }: CacheShape): GraphBuilder {
  const graph = new GraphBuilder();
  const slotsAt = graph.input(SLOTS_AT, 'int64', ['slots']);
  const [pastRows, moreRows] = [PAST_ROWS, MORE_ROWS].map(name => graph.input(name, 'int64', ['rows']));
  const arrange = (past: Tensor, more: Tensor) => {
    const shape = ['allSlots', ...past.shape.slice(1)];
    const all = emit(graph, 'Concat', [past, more], { dtype: past.dtype, shape }, { axis: 0 });
    return gatherRows(graph, all, slotsAt);
  };
  for (const layer of attending)
    for (const part of ['k', 'v'] as const) {
      const take = (when: 'past' | 'more', rows: Tensor) => {
        const stored = [`${when}Slots`, kvHeads, when, headDim];
        const input = graph.input(cacheName(when, layer, part), 'float32', stored);
        const shape = [stored[0]!, kvHeads, 'rows', headDim];
        return emit(graph, 'Gather', [input, rows], { dtype: 'float32', shape }, { axis: 2 });
      };
      graph.output(
        cacheName('present', layer, part),
        arrange(take('past', pastRows!), take('more', moreRows!)),
      );
    }
  for (const state of states) {
    const input = (when: 'past' | 'more') =>
      graph.input(stateName(when, state), 'float32', [`${when}Slots`, ...state.shape]);
    graph.output(stateName('present', state), arrange(input('past'), input('more')));
  }
  return graph;
}

/** Rows beyond the existing ones are undefined: they are written before they are read. */
const rowsFrom = (part: CachePart, capacity: number) =>
  Array.from({ length: capacity }, (_, row) => Math.min(row, part.capacity - 1));

/** With one row, the least that kernels take. */
function emptyTensors({ attending, kvHeads, headDim, states }: CacheShape): KeptByName {
  const zeros = (shape: readonly number[]) => keep(new Float32Array(sizeOf(shape)), shape);
  const rows = attending.flatMap(layer =>
    (['k', 'v'] as const).map(
      part => [cacheName('past', layer, part), zeros([1, kvHeads, 1, headDim])] as const,
    ),
  );
  const others = states.map(state => [stateName('past', state), zeros([1, ...state.shape])] as const);
  return Object.fromEntries([...rows, ...others]);
}

const renamed = (from: string, to: string) => (tensors: Inputs | KeptByName) =>
  Object.fromEntries(
    Object.entries(tensors).map(([name, tensor]) => [name.replace(from, to), tensor as Kept]),
  );

const asMore = renamed('past.', 'more.');
/** What a step has computed, as inputs of the next one. */
export const asPast = renamed('present.', 'past.');

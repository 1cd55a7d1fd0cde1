// Adapters in memory in the graph's layout: single ones, and those of a batch stacked.
import { EngineError } from '../engine-error.js';
import {
  adapterName,
  GROUPS,
  groupName,
  groupSizes,
  layerModules,
  type ModelConfig,
  type Module,
  moduleShape,
  openModelAdapter,
  rankScalesName,
} from '../model/index.js';
import { type Inputs, type Kept, keep } from '../runtime/index.js';
import { transpose } from '../weights/index.js';

/** B is [rank, out], the transpose of what its file holds. */
export interface LoadedAdapter {
  readonly rank: number;
  readonly scaling: number;
  /** By the names of the graph's inputs; modules without an adapter are missing. */
  readonly matrices: ReadonlyMap<string, Float32Array>;
}

/** Reads an adapter's folder. Throws an error that names the file and the tensor if it does not fit the model. @internal */
export async function loadAdapter(folder: string, config: ModelConfig): Promise<LoadedAdapter> {
  const { config: settings, scaling, sites, readPair } = await openModelAdapter(folder, config);
  const { rank } = settings;
  const matrices = new Map<string, Float32Array>();
  for (const site of sites) {
    const { layer, module, a, b } = await readPair(site);
    matrices.set(adapterName(layer, module, 'a'), a);
    matrices.set(adapterName(layer, module, 'b'), transpose(b, b.length / rank, rank));
  }
  return { rank, scaling, matrices };
}

const MAX_ADAPTERS = 16;

/** Reads adapters when they are first used, and keeps the most recently used ones. */
export interface AdapterCache {
  /** Throws `adapter_damaged` if it cannot be used. */
  get(folder: string): Promise<LoadedAdapter>;
  /** Reads it again if it is used once more. */
  forget(folder: string): void;
  clear(): void;
}

export function createAdapterCache(config: ModelConfig, limit = MAX_ADAPTERS): AdapterCache {
  /** Least recently used first. */
  const adapters = new Map<string, Promise<LoadedAdapter>>();

  async function load(folder: string): Promise<LoadedAdapter> {
    try {
      return await loadAdapter(folder, config);
    } catch (error) {
      throw new EngineError('adapter_damaged', error instanceof Error ? error.message : String(error));
    }
  }

  return {
    get(folder) {
      const adapter = adapters.get(folder) ?? load(folder);
      adapters.delete(folder);
      adapters.set(folder, adapter);
      adapter.catch(() => adapters.delete(folder));
      if (adapters.size > limit) adapters.delete(adapters.keys().next().value!);
      return adapter;
    },
    forget: folder => void adapters.delete(folder),
    clear: () => adapters.clear(),
  };
}

/**
 * The adapters of a batch as inputs of the graph: their matrices stacked along the rank and, for each line of the batch,
 * the scaling of its adapter in that adapter's columns. The last mixed stack is kept for the next step.
 */
export interface AdapterStacks {
  /** The inputs for a batch, given the adapter of each line. Without any adapter, the matrices are zeros of rank 1. */
  inputsFor(lines: readonly (LoadedAdapter | null)[]): [matrices: Stack['matrices'], rankScales: Inputs];
  clear(): void;
}

/** Stands in for missing adapters, since the runtime cannot split a matrix without columns. */
const NO_ADAPTER: LoadedAdapter = { rank: 1, scaling: 0, matrices: new Map() };

interface Stack {
  members: LoadedAdapter[];
  rank: number;
  /** The same object for as long as the stack is used. */
  matrices: Readonly<Record<string, Kept>>;
}

export function createAdapterStacks(config: ModelConfig): AdapterStacks {
  const sizes = groupSizes(config);
  const single = new WeakMap<LoadedAdapter, Stack>();
  let mixed: Stack | null = null;

  function singleStack(adapter: LoadedAdapter): Stack {
    const stack = single.get(adapter) ?? buildStack(config, [adapter]);
    single.set(adapter, stack);
    return stack;
  }

  function mixedStack(needed: LoadedAdapter[]): Stack {
    const isEnough = needed.every(adapter => mixed?.members.includes(adapter));
    if (!mixed || !isEnough || mixed.rank > 2 * rankOf(needed)) mixed = buildStack(config, needed);
    return mixed;
  }

  return {
    inputsFor(lines) {
      const needed = [...new Set(lines)].filter(adapter => adapter !== null);
      const stack = needed.length > 1 ? mixedStack(needed) : singleStack(needed[0] ?? NO_ADAPTER);
      return [stack.matrices, toRankScales(lines, stack, sizes)];
    },
    clear() {
      mixed = null;
    },
  };
}

function buildStack(config: ModelConfig, members: LoadedAdapter[]): Stack {
  const rank = rankOf(members);
  const matrices: Record<string, Kept> = {};
  for (let layer = 0; layer < config.layers; layer++) {
    const modules = layerModules(config, layer);
    for (const group of GROUPS.map(name => modules[name])) {
      const [, into] = moduleShape(config, group[0]!);
      const columns = group.length * rank;
      matrices[groupName(layer, group)] = keep(joinColumns(members, layer, group, into, columns), [
        into,
        columns,
      ]);
      for (const module of group) {
        const [out] = moduleShape(config, module);
        const name = adapterName(layer, module, 'b');
        matrices[name] = keep(stackRows(members, name, rank, out), [rank, out]);
      }
    }
  }
  return { members, rank, matrices };
}

/** The matrices A of a group's modules, transposed and side by side; zeros where a member does not adapt a module. */
function joinColumns(
  members: readonly LoadedAdapter[],
  layer: number,
  group: readonly Module[],
  into: number,
  columns: number,
): Float32Array {
  const joined = new Float32Array(into * columns);
  let column = 0;
  for (const module of group) {
    for (const { rank, matrices } of members) {
      const a = matrices.get(adapterName(layer, module, 'a'));
      if (a)
        for (let i = 0; i < a.length; i++)
          joined[(i % into) * columns + column + Math.floor(i / into)] = a[i]!;
      column += rank;
    }
  }
  return joined;
}

/** [rank, width], zeros where a member does not adapt this module. Those of a single adapter are not copied. */
function stackRows(
  members: readonly LoadedAdapter[],
  name: string,
  rank: number,
  width: number,
): Float32Array {
  const alone = members.length === 1 ? members[0]!.matrices.get(name) : undefined;
  if (alone) return alone;
  const rows = new Float32Array(rank * width);
  let row = 0;
  for (const member of members) {
    const matrix = member.matrices.get(name);
    if (matrix) rows.set(matrix, row * width);
    row += member.rank;
  }
  return rows;
}

/** For each number of modules in a group, [lines, 1, modules * rank] */
function toRankScales(
  lines: readonly (LoadedAdapter | null)[],
  { members, rank }: Stack,
  sizes: readonly number[],
): Inputs {
  const starts = members.map((_, i) => rankOf(members.slice(0, i)));
  return Object.fromEntries(
    sizes.map(size => {
      const values = new Float32Array(lines.length * size * rank);
      lines.forEach((adapter, line) => {
        if (!adapter) return;
        for (let module = 0; module < size; module++) {
          const start = (line * size + module) * rank + starts[members.indexOf(adapter)]!;
          values.fill(adapter.scaling, start, start + adapter.rank);
        }
      });
      return [rankScalesName(size), { values, shape: [lines.length, 1, size * rank] }];
    }),
  );
}

function rankOf(adapters: readonly LoadedAdapter[]): number {
  return adapters.reduce((sum, { rank }) => sum + rank, 0);
}

// The adapters of a batch as inputs of the graph: their matrices stacked along the rank and, for each line of the
// batch, the scaling of its adapter in that adapter's columns. The last mixed stack is kept for the next step.
import { loraParameters, MODULES, type ModelConfig } from '../model/index.js';
import type { ShapedValues } from '../runtime/index.js';
import type { LoadedAdapter } from './adapter.js';

type AdapterInputs = Record<string, ShapedValues>;

export interface AdapterStacks {
  /** The inputs for a batch, given the adapter of each line. Without any adapter, the matrices have rank 0. */
  inputsFor(lines: readonly (LoadedAdapter | null)[]): [matrices: AdapterInputs, rankScales: AdapterInputs];
  clear(): void;
}

interface Stack {
  members: LoadedAdapter[];
  rank: number;
  matrices: AdapterInputs;
}

export function createAdapterStacks(config: ModelConfig): AdapterStacks {
  // The stack of a single adapter uses its matrices without a copy.
  const single = new WeakMap<LoadedAdapter, Stack>();
  const none = buildStack(config, []);
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
      const [first = null] = needed;
      const stack = needed.length > 1 ? mixedStack(needed) : first ? singleStack(first) : none;
      return [stack.matrices, { rankScales: toRankScales(lines, stack) }];
    },
    clear() {
      mixed = null;
    },
  };
}

function buildStack(config: ModelConfig, members: LoadedAdapter[]): Stack {
  const rank = rankOf(members);
  const matrices: AdapterInputs = {};
  for (const { name, shape } of loraParameters(config, { rank, modules: MODULES })) {
    matrices[name] = { values: stackRows(members, name, rank, shape[1]), shape };
  }
  return { members, rank, matrices };
}

/** [rank, width], zeros where a member does not adapt this module */
function stackRows(
  members: readonly LoadedAdapter[],
  name: string,
  rank: number,
  width: number,
): Float32Array {
  const single = members.length === 1 ? members[0]!.matrices.get(name) : undefined;
  if (single) return single;
  const rows = new Float32Array(rank * width);
  let row = 0;
  for (const member of members) {
    const matrix = member.matrices.get(name);
    if (matrix) rows.set(matrix, row * width);
    row += member.rank;
  }
  return rows;
}

/** [lines, 1, rank] */
function toRankScales(lines: readonly (LoadedAdapter | null)[], { members, rank }: Stack): ShapedValues {
  const values = new Float32Array(lines.length * rank);
  const starts = members.map((_, i) => rankOf(members.slice(0, i)));
  lines.forEach((adapter, line) => {
    if (!adapter) return;
    const start = line * rank + starts[members.indexOf(adapter)]!;
    values.fill(adapter.scaling, start, start + adapter.rank);
  });
  return { values, shape: [lines.length, 1, rank] };
}

function rankOf(adapters: readonly LoadedAdapter[]): number {
  return adapters.reduce((sum, { rank }) => sum + rank, 0);
}

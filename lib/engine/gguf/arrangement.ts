// Where llama.cpp has the values of a weight in another order than Hugging Face's layout, or other values.
import type { ModelConfig } from '../model/index.js';

type Values = Float32Array | Uint8Array;

/** Moves values of whole groups of rows; `columns`: how many a row has. */
type Move = <T extends Values>(values: T, columns: number) => T;

export interface Arrangement {
  moves: 'rows' | 'columns';
  /** How many rows are moved among themselves. */
  together: number;
  toFile: Move;
  fromFile: Move;
}

/** `name`: in Hugging Face's layout; undefined if the order is the same. */
export function arrangementOf(name: string, config: ModelConfig): Arrangement | undefined {
  const { llamaCpp, headDim } = config;
  if (llamaCpp.pairsRows && /\.[qk]_proj\.(?:weight|bias)$/.test(name)) return pairedRows(headDim);
  const [, part] = /\.linear_attn\.(.+)$/.exec(name) ?? [];
  const delta = config.mixers.find(mixer => mixer.kind === 'delta');
  if (part === undefined || !delta || delta.heads === delta.keyHeads) return undefined;
  const { heads, keyHeads, keyDim, valueDim } = delta;
  const order = { heads, keyHeads };
  const keys = 2 * keyHeads * keyDim;
  switch (part) {
    case 'in_proj_qkv.weight':
    case 'conv1d.weight':
      return movedHeads({ ...order, first: keys, rows: valueDim });
    case 'in_proj_z.weight':
      return movedHeads({ ...order, first: 0, rows: valueDim });
    case 'out_proj.weight':
      return movedColumns(order);
    case 'norm.weight':
      return undefined;
    default:
      return movedHeads({ ...order, first: 0, rows: 1 });
  }
}

/**
 * Positions turn pairs of rows: row i and i + headDim / 2 of a head in Hugging Face's layout, neighbors in llama.cpp's for
 * Llama. [heads, 2, headDim / 2, columns] -> [heads, headDim / 2, 2, columns]
 */
function pairedRows(headDim: number): Arrangement {
  const half = headDim / 2;
  const within = (sourceOf: (at: number) => number) => (row: number) =>
    row - (row % headDim) + sourceOf(row % headDim);
  return {
    ...{ moves: 'rows', together: headDim },
    toFile: (values, columns) =>
      moveBlocks(
        values,
        columns,
        within(at => (at % 2) * half + Math.floor(at / 2)),
      ),
    fromFile: (values, columns) =>
      moveBlocks(
        values,
        columns,
        within(at => (at % half) * 2 + Math.floor(at / half)),
      ),
  };
}

interface HeadOrder {
  /** Of values. */
  heads: number;
  /** Of keys, each for several of them. */
  keyHeads: number;
}

/**
 * Heads of values that share one of keys are neighbors in Hugging Face's layout. llama.cpp repeats all heads of keys at once:
 * [keyHeads, shares] -> [shares, keyHeads]
 */
function movedHeads({
  first,
  rows,
  ...order
}: HeadOrder & {
  /** The row of the first head. */
  first: number;
  /** Of a head. */
  rows: number;
}): Arrangement {
  const move =
    (sourceOf: (head: number) => number): Move =>
    (values, columns) =>
      moveBlocks(values, rows * columns, sourceOf, first * columns);
  const { toFile, fromFile } = sourcesOf(order);
  return {
    ...{ moves: 'rows', together: first + rows * order.heads },
    toFile: move(toFile),
    fromFile: move(fromFile),
  };
}

/** The same for the columns of heads. */
function movedColumns(order: HeadOrder): Arrangement {
  const { toFile, fromFile } = sourcesOf(order);
  const move =
    (sourceOf: (head: number) => number): Move =>
    (values, columns) =>
      moveBlocks(values, columns / order.heads, at => at - (at % order.heads) + sourceOf(at % order.heads));
  return { moves: 'columns', together: 1, toFile: move(toFile), fromFile: move(fromFile) };
}

function sourcesOf({ heads, keyHeads }: HeadOrder) {
  const shares = heads / keyHeads;
  return {
    toFile: (head: number) => (head % keyHeads) * shares + Math.floor(head / keyHeads),
    fromFile: (head: number) => (head % shares) * keyHeads + Math.floor(head / shares),
  };
}

/** Blocks of this size, each from another place, after `first` values that stay. */
function moveBlocks<T extends Values>(
  values: T,
  size: number,
  sourceOf: (block: number) => number,
  first = 0,
): T {
  const moved = values.slice() as T;
  for (let block = 0; block < (values.length - first) / size; block++) {
    const source = first + sourceOf(block) * size;
    moved.set(values.subarray(source, source + size), first + block * size);
  }
  return moved;
}

/** What the file has in place of each value. */
export interface Change {
  toFile(value: number): number;
  fromFile(value: number): number;
}

const PLUS_ONE: Change = { toFile: value => value + 1, fromFile: value => value - 1 };
const NEGATIVE_POWER: Change = { toFile: value => -Math.exp(value), fromFile: value => Math.log(-value) };

/** Norms are kept as they are multiplied with, and rates of decay as they are. */
export function changeOf(name: string, { normsAddOne }: ModelConfig): Change | undefined {
  if (name.endsWith('.linear_attn.A_log')) return NEGATIVE_POWER;
  const isPlain = name.endsWith('.linear_attn.norm.weight');
  return normsAddOne && name.endsWith('norm.weight') && !isPlain ? PLUS_ONE : undefined;
}

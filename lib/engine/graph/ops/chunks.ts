// Lines of tokens cut into chunks of the same length, the last one of a line filled up with zeros.
import { type Dimension, type GraphBuilder, type Tensor, times } from '../graph.js';
import { add, clip, emit, reshape, scale, subtract, transpose, unary } from '../primitives.js';
import { intoLines, type Lines } from './attention.js';

/**
 * Tokens in chunks, and which of them belong to the same row of data, as logarithms: 0 for those that do, and of something
 * too small to count for others.
 */
export interface Chunks {
  lines: Lines;
  /** A power of two. */
  size: number;
  count: Dimension;
  /** int64 [1]: how many zeros the last chunk of a line needs. */
  missing: Tensor;
  /** A token and those before it, itself included: [chunks, lines, 1, size, size]. */
  among: Tensor;
  /** A token and the last of the chunk before: [chunks, lines, 1, size, 1]. */
  before: Tensor;
  /** A token and the last of its own chunk. */
  after: Tensor;
}

const APART = -1e9;
const NO_ROW = -1;

/** `rows`: row numbers, float32 [lines, length]. No line has more than `longest` tokens. */
export function chunksOf(
  graph: GraphBuilder,
  lines: Lines,
  rows: Tensor,
  { size, longest }: { size: number; longest: number },
): Chunks {
  const count = typeof lines.length === 'number' ? Math.ceil(lines.length / size) : 'chunks';
  if (typeof count === 'string') graph.longest.set(count, Math.ceil(longest / size));
  const int64 = { dtype: 'int64', shape: [1] } as const;
  const integer = (value: number) => graph.values('int64', [1], [value]);
  const length = emit(graph, 'Slice', [lines.shape, integer(1), integer(2)], int64);
  const missing = emit(graph, 'Mod', [subtract(graph, integer(0), length), integer(size)], int64);

  const filled = padAxis(graph, rows, 1, [integer(0), missing], times(size, count), NO_ROW);
  const inChunks = transpose(graph, reshape(graph, filled, [lines.count, count, size]), [1, 0, 2]);
  const shaped = (a: Tensor, rows: number, columns: number) =>
    reshape(graph, a, [count, lines.count, 1, rows, columns]);
  const ends = emit(graph, 'Slice', [inChunks, integer(size - 1), integer(size), integer(2)], {
    ...inChunks,
    shape: [count, lines.count, 1],
  });
  // The chunk before the first does not matter: its state is zero.
  const endsBefore = padAxis(graph, ends, 0, [integer(1), integer(-1)], count, NO_ROW);
  const own = shaped(inChunks, size, 1);
  const apartFrom = (other: Tensor) => unary(graph, 'Abs', subtract(graph, own, other));
  const toLogarithm = (apart: Tensor) => scale(graph, clip(graph, apart, 0, 1), APART);
  const later = Array.from({ length: size * size }, (_, i) => Number(i % size > Math.floor(i / size)));
  const others = add(
    graph,
    apartFrom(shaped(inChunks, 1, size)),
    graph.values('float32', [size, size], later),
  );
  return {
    ...{ lines, size, count, missing },
    among: toLogarithm(others),
    before: toLogarithm(apartFrom(shaped(endsBefore, 1, 1))),
    after: toLogarithm(apartFrom(shaped(ends, 1, 1))),
  };
}

/** [tokens, heads * dim] -> [chunks, lines, heads, size, dim] */
export function toChunks(
  graph: GraphBuilder,
  a: Tensor,
  { lines, size, count, missing }: Chunks,
  heads: number,
): Tensor {
  const width = a.shape[1] as number;
  const none = graph.values('int64', [1], [0]);
  const filled = padAxis(graph, intoLines(graph, a, lines, [width]), 1, [none, missing], times(size, count));
  const parted = reshape(graph, filled, [lines.count, count, size, heads, width / heads]);
  return transpose(graph, parted, [1, 0, 3, 2, 4]);
}

/** Undoes `toChunks`; `like` has the shape of the result. */
export function fromChunks(
  graph: GraphBuilder,
  a: Tensor,
  { lines, size, count, missing }: Chunks,
  like: Tensor,
): Tensor {
  const none = graph.values('int64', [1], [0]);
  const inLines = transpose(graph, a, [1, 0, 3, 2, 4]);
  const filled = reshape(graph, inLines, [lines.count, times(size, count), like.shape[1]!]);
  const surplus = unary(graph, 'Neg', missing);
  return reshape(graph, padAxis(graph, filled, 1, [none, surplus], lines.length), like.shape);
}

/** `by`: int64 [1] each, how much is added at the beginning and at the end; less than 0 takes away. */
function padAxis(
  graph: GraphBuilder,
  a: Tensor,
  axis: number,
  [start, end]: readonly [Tensor, Tensor],
  length: Dimension,
  value = 0,
): Tensor {
  const rank = a.shape.length;
  const zeros = (count: number) => (count > 0 ? [graph.values('int64', [count], Array(count).fill(0))] : []);
  const parts = [...zeros(axis), start, ...zeros(rank - 1), end, ...zeros(rank - 1 - axis)];
  const pads = emit(graph, 'Concat', parts, { dtype: 'int64', shape: [2 * rank] }, { axis: 0 });
  const shape = a.shape.map((old, i) => (i === axis ? length : old));
  return emit(graph, 'Pad', [a, pads, graph.values('float32', [], [value])], { dtype: a.dtype, shape });
}

// Tokens in lines of the same length. Most operations take them one after another, [tokens, width]; attention needs the
// lines.
import type { GraphBuilder } from './graph.js';
import type { Dimension, Tensor } from './tensor.js';

export interface Lines {
  /** int64 [2]: how many lines there are, and how long they are. */
  shape: Tensor;
  count: Dimension;
  length: Dimension;
}

/** [tokens, ...] -> [lines, length, ...rest] */
export function intoLines(
  graph: GraphBuilder,
  a: Tensor,
  { shape, count, length }: Lines,
  rest: readonly number[],
): Tensor {
  const parts = [shape, graph.values('int64', [rest.length], rest)];
  const outputs = [{ dtype: shape.dtype, shape: [2 + rest.length] }];
  const [target] = graph.node('Concat', parts, { attributes: { axis: 0 }, outputs });
  const found = { dtype: a.dtype, shape: [count, length, ...rest] };
  return graph.node('Reshape', [a, target!], { outputs: [found] })[0]!;
}

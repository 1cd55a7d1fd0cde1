// The mask of packed training: a token attends to itself and to earlier tokens of its own row of data. A line may hold
// several rows, told apart by their numbers.
import { type GraphBuilder, repeat, reshape, type Tensor } from '../graph/index.js';
import type { ModelConfig } from './config.js';

const MASKED = -1e9;

/**
 * `rows` are row numbers, float32 [lines, length], and `positions` those within the row, int64 [lines, length]. The mask
 * is [lines, kv, group * length, length], as the scores are: the queries of a group share keys, and a sum of equal shapes
 * is computed by several threads.
 */
export function packedCausalMask(
  graph: GraphBuilder,
  rows: Tensor,
  positions: Tensor,
  { heads, kvHeads }: Pick<ModelConfig, 'heads' | 'kvHeads'>,
): Tensor {
  const [lines, length] = rows.shape as [string, string];
  const shape = [lines, 1, length, length];
  const compare = (op: string, a: Tensor, b: Tensor) =>
    graph.node(op, [a, b], { outputs: [{ dtype: 'bool', shape }] })[0]!;
  const asQueries = (a: Tensor) => reshape(graph, a, [lines, 1, length, 1]);
  const asKeys = (a: Tensor) => reshape(graph, a, [lines, 1, 1, length]);
  const sameRow = compare('Equal', asQueries(rows), asKeys(rows));
  const isEarlier = compare('GreaterOrEqual', asQueries(positions), asKeys(positions));
  const visible = compare('And', sameRow, isEarlier);
  const [unmasked, masked] = [graph.values('float32', [], [0]), graph.values('float32', [], [MASKED])];
  const mask = graph.node('Where', [visible, unmasked, masked], {
    outputs: [{ dtype: 'float32', shape }],
  })[0]!;
  return repeat(graph, repeat(graph, mask, heads / kvHeads, 2), kvHeads, 1);
}

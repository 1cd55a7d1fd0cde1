// The mask of packed training: a token attends to itself and to earlier tokens of its own row of data. A line of the
// batch may hold several rows, told apart by their numbers.
import { type GraphBuilder, reshape, type Tensor } from '../graph/index.js';

const MASKED = -1e9;

/** `rows` are row numbers, float32 [batch, sequence]. The mask is [batch, 1, 1, sequence, sequence]. */
export function packedCausalMask(graph: GraphBuilder, rows: Tensor): Tensor {
  const [batch, sequence] = rows.shape as [number, number];
  const shape = [batch, 1, 1, sequence, sequence];
  const queryRows = reshape(graph, rows, [batch, 1, 1, sequence, 1]);
  const keyRows = reshape(graph, rows, [batch, 1, 1, 1, sequence]);
  const compare = (op: string, a: Tensor, b: Tensor) =>
    graph.node(op, [a, b], { outputs: [{ dtype: 'bool', shape }] })[0]!;
  const sameRow = compare('Equal', queryRows, keyRows);
  const visible = compare(
    'And',
    sameRow,
    compare('GreaterOrEqual', indicesAlong(graph, sequence, 3), indicesAlong(graph, sequence, 4)),
  );
  const [unmasked, masked] = [graph.values('float32', [], [0]), graph.values('float32', [], [MASKED])];
  return graph.node('Where', [visible, unmasked, masked], { outputs: [{ dtype: 'float32', shape }] })[0]!;
}

/** 0 to sequence - 1 along one of the last two axes, so that the graph computes the mask instead of storing it. */
function indicesAlong(graph: GraphBuilder, sequence: number, axis: 3 | 4): Tensor {
  const shape = [1, 1, 1, 1, 1].map((length, i) => (i === axis ? sequence : length));
  return graph.values(
    'float32',
    shape,
    Array.from({ length: sequence }, (_, i) => i),
  );
}

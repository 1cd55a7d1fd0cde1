// Who may look at whom: a token at itself and at what came before it in its own row of data. Several rows may lie in one
// line of the batch; their numbers tell them apart.
import { type GraphBuilder, reshape, type Tensor } from '../graph/index.js';

const BANNED = -1e9;

/** From row numbers, float32 [batch, sequence], the mask [batch, 1, 1, sequence, sequence]. */
export function packedCausalMask(graph: GraphBuilder, rows: Tensor): Tensor {
  const [batch, sequence] = rows.shape as [number, number];
  const shape = [batch, 1, 1, sequence, sequence];
  const asker = reshape(graph, rows, [batch, 1, 1, sequence, 1]);
  const asked = reshape(graph, rows, [batch, 1, 1, 1, sequence]);
  const compare = (op: string, a: Tensor, b: Tensor) =>
    graph.node(op, [a, b], { outputs: [{ dtype: 'bool', shape }] })[0]!;
  const same = compare('Equal', asker, asked);
  const seen = compare(
    'And',
    same,
    compare('GreaterOrEqual', places(graph, sequence, 3), places(graph, sequence, 4)),
  );
  const [open, banned] = [graph.values('float32', [], [0]), graph.values('float32', [], [BANNED])];
  return graph.node('Where', [seen, open, banned], { outputs: [{ dtype: 'float32', shape }] })[0]!;
}

/** 0 to sequence - 1 along one of the last two axes: what is compared is made where the graph runs, not written down. */
function places(graph: GraphBuilder, sequence: number, axis: 3 | 4): Tensor {
  const shape = [1, 1, 1, 1, 1].map((length, i) => (i === axis ? sequence : length));
  return graph.values(
    'float32',
    shape,
    Array.from({ length: sequence }, (_, i) => i),
  );
}

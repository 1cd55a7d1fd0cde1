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
  const same = graph.node('Equal', [asker, asked], { outputs: [{ dtype: 'bool', shape }] })[0]!;
  const banned = graph.values('float32', [], [BANNED]);
  return graph.node('Where', [same, causal(graph, sequence), banned], {
    outputs: [{ dtype: 'float32', shape }],
  })[0]!;
}

function causal(graph: GraphBuilder, sequence: number): Tensor {
  const values = new Float32Array(sequence * sequence);
  for (let query = 0; query < sequence; query++) {
    values.fill(BANNED, query * sequence + query + 1, (query + 1) * sequence);
  }
  const bytes = new Uint8Array(values.buffer);
  return graph.constant('causal', 'float32', [1, 1, 1, sequence, sequence], { bytes });
}

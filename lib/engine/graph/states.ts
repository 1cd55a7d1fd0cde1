// Operators with a state that each step or token changes.
import { GraphBuilder, type Tensor } from './graph.js';
import { add, emit, matMul, multiply, subtract } from './primitives.js';

interface Steps {
  /** [steps, ..., 1, 1] */
  factor: Tensor;
  /** [steps, ..., inner, rows] */
  left: Tensor;
  right: Tensor;
  /** [steps, ..., rows, columns] */
  update: Tensor;
}

interface Direction {
  /** From the last step to the first. */
  reverse?: boolean;
}

/** The states X before each step X = factor X - leftᵀ (right X) + update, from zeros: in the shape of `update`. */
export function chain(graph: GraphBuilder, steps: Steps, { reverse = false }: Direction = {}): Tensor {
  const { factor, left, right, update } = steps;
  const inputs = [factor, left, right, update];
  const start = zerosOfStep(graph, update);
  const direction = Number(reverse);
  const [, before] = graph.node('Scan', [start, ...inputs], {
    attributes: {
      body: { graph: stepOf(steps) },
      num_scan_inputs: inputs.length,
      scan_input_directions: inputs.map(() => direction),
      scan_output_directions: [direction],
    },
    outputs: [start, update],
  });
  return before!;
}

function stepOf(steps: Steps): GraphBuilder {
  const graph = new GraphBuilder('step_');
  const inputOf = (name: string, { dtype, shape }: Tensor) =>
    graph.input(`step_${name}`, dtype, shape.slice(1));
  // In the order in which the loop passes them.
  const state = inputOf('state', steps.update);
  const factor = inputOf('factor', steps.factor);
  const left = inputOf('left', steps.left);
  const right = inputOf('right', steps.right);
  const update = inputOf('update', steps.update);
  const through = matMul(graph, left, matMul(graph, right, state), { transA: true });
  const kept = subtract(graph, multiply(graph, factor, state), through);
  graph.output('step_next', add(graph, kept, update));
  graph.output('step_before', state);
  return graph;
}

/** Zeros in the shape of one step. */
function zerosOfStep(graph: GraphBuilder, steps: Tensor): Tensor {
  const shape = steps.shape.slice(1);
  const size = emit(graph, 'Shape', [steps], { dtype: 'int64', shape: [shape.length] }, { start: 1 });
  return emit(graph, 'ConstantOfShape', [size], { dtype: steps.dtype, shape });
}

type DeltaRule = Record<'q' | 'k' | 'v' | 'past' | 'decay' | 'beta', Tensor>;

/**
 * The gated delta rule, token after token, from a state on: [batch, heads, keyDim, valueDim]. Its inputs are those of the
 * operation in [batch, tokens, ...], where keys and queries may have fewer heads. Also returns the state after the tokens.
 */
export function recall(
  graph: GraphBuilder,
  { q, k, v, past, decay, beta }: DeltaRule,
  { heads, keyHeads }: { heads: number; keyHeads: number },
): [read: Tensor, state: Tensor] {
  const attributes = {
    ...{ q_num_heads: keyHeads, kv_num_heads: heads },
    ...{ update_rule: 'gated_delta', scale: { float: 1 } },
  };
  const outputs = [v, past].map(({ dtype, shape }) => ({ dtype, shape }));
  const inputs = [q, k, v, past, decay, beta];
  return graph.node('LinearAttention', inputs, { domain: 'com.microsoft', attributes, outputs }) as [
    Tensor,
    Tensor,
  ];
}

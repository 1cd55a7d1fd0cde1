// Operators with a state that each step or token changes.
import { GraphBuilder, type Tensor } from './graph.js';
import { add, emit, matMul, multiply, reshape, slice, subtract, trim } from './primitives.js';

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

/**
 * What `chain` computes, and the state after the last step, without a loop, for up to `most` steps. A step multiplies the state by a
 * matrix and adds to it, and so do two steps together: each round joins pairs, so the number of rounds is the logarithm of `most`.
 * The matrices of a delta rule make no vector longer, so neither do their products, and errors do not grow.
 */
export function chainAtOnce(
  graph: GraphBuilder,
  { factor, left, right, update }: Steps,
  { reverse = false, most }: Direction & { most: number },
): { last: Tensor; before: Tensor } {
  const rows = update.shape.at(-2) as number;
  const identity = Array.from({ length: rows * rows }, (_, i) => Number(i % (rows + 1) === 0));
  const kept = multiply(graph, factor, graph.values('float32', [rows, rows], identity));
  let through = subtract(graph, kept, matMul(graph, left, right, { transA: true }));
  let after = update;
  for (let count = 1; count < most; count *= 2) {
    const earlier = (a: Tensor) => shift(graph, a, reverse ? -count : count);
    after = add(graph, after, matMul(graph, through, earlier(after)));
    if (2 * count < most) through = matMul(graph, through, earlier(through));
  }
  const end = reverse ? [0, 1] : [-1, Number.MAX_SAFE_INTEGER];
  const at = [...end, 0].map(value => graph.values('int64', [1], [value]));
  const last = emit(graph, 'Slice', [after, ...at], { ...after, shape: [1, ...after.shape.slice(1)] });
  return { last: reshape(graph, last, after.shape.slice(1)), before: shift(graph, after, reverse ? -1 : 1) };
}

/** Moved along the first axis by so many places, toward its beginning if that is negative. Zeros take the free places. */
function shift(graph: GraphBuilder, a: Tensor, by: number): Tensor {
  const pads = Array<number>(2 * a.shape.length).fill(0);
  pads[by > 0 ? 0 : a.shape.length] = Math.abs(by);
  const inputs = [a, graph.values('int64', [pads.length], pads), graph.values('float32', [], [0])];
  const [steps, ...rest] = a.shape;
  const padded = emit(graph, 'Pad', inputs, { dtype: a.dtype, shape: [`${steps}+${Math.abs(by)}`, ...rest] });
  return trim(graph, padded, 0, by > 0 ? [0, by] : [-by, 0], steps!);
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
  const first = reshape(graph, slice(graph, steps, 0, 0, 1), shape);
  const size = emit(graph, 'Shape', [first], { dtype: 'int64', shape: [shape.length] });
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

// Projections of one input: y = x Wᵀ + bias + scaling (x Aᵀ) B for each, where only the first term is required. W is
// [out, in] as in the model's file, A is [rank, in] and B is [rank, out], so no product needs a transposed copy, forward
// or backward. What the adapters of an input share is computed once: the matrices A are stacked.
import type { GraphBuilder, Tensor } from '../graph.js';
import type { Matrix } from '../matrix.js';
import { add, concat, matMul, matMulInto, multiply, reduce, reshape, split } from '../primitives.js';
import { type BranchingOperation, sum, type Tape } from '../tape.js';

export interface Projection {
  matrix: Matrix;
  /** [out] */
  bias?: Tensor | undefined;
  /** [rank, in] */
  a?: Tensor | undefined;
  /** [rank, out] */
  b?: Tensor | undefined;
}

interface AdapterOptions {
  scaling: number;
  /** The dropout mask of the adapters' input: zeros and ones, [tokens, in]. */
  keep?: Tensor | undefined;
}

/** `x` is [tokens, in]; one output for each projection. */
export function project(
  tape: Tape,
  x: Tensor,
  projections: readonly Projection[],
  options: AdapterOptions,
): readonly Tensor[] {
  const inputs: LinearInputs = { x };
  for (const [i, { matrix, bias, a, b }] of projections.entries()) {
    inputs[`weight.${i}`] = matrix.tensor;
    inputs[`bias.${i}`] = bias;
    inputs[`a.${i}`] = a;
    inputs[`b.${i}`] = b;
  }
  return tape.applyAll(linear, inputs, { ...options, projections });
}

type LinearInputs = { x: Tensor; [name: string]: Tensor | undefined };

interface LinearOptions extends AdapterOptions {
  projections: readonly Projection[];
}

interface Adapter {
  /** Of the projection. */
  index: number;
  a: Tensor;
  b: Tensor;
  /** scaling x Aᵀ, [tokens, rank] */
  inner: Tensor;
}

interface Saved {
  /** The adapters' input: x after dropout. */
  seen: Tensor;
  adapters: readonly Adapter[];
  /** The matrices A on top of each other, [ranks, in]; null without adapters. */
  stacked: Tensor | null;
}

const linear: BranchingOperation<LinearInputs, LinearOptions, Saved> = {
  forward(graph, { x }, { projections, scaling, keep }) {
    const saved = startAdapters(graph, keep ? multiply(graph, x, keep) : x, projections, scaling);
    const outputs = projections.map(({ matrix, bias }, i) => {
      const adapter = saved.adapters.find(({ index }) => index === i);
      const adapted = adapter && matMul(graph, adapter.inner, adapter.b);
      const addend = adapted ?? bias;
      if (!addend) return matrix.multiply(graph, x);
      const product = matrix.multiplyInto(graph, x, addend);
      return adapted && bias ? add(graph, product, bias) : product;
    });
    return { outputs, saved };
  },
  backward(graph, { inputs: { x }, options, saved, gradients, needs, addTo }) {
    const { projections, scaling, keep } = options;
    const { adapters, stacked, seen } = saved;
    for (const [i, gradient] of gradients.entries()) {
      if (!gradient) continue;
      addTo(`weight.${i}`, partial => matMulInto(graph, partial, gradient, x, { transA: true }));
      addTo(`bias.${i}`, partial =>
        sum(
          graph,
          partial,
          reshape(graph, reduce(graph, 'ReduceSum', gradient, 0), projections[i]!.bias!.shape),
        ),
      );
    }
    const reached = adapters.filter(({ index }) => gradients[index]);
    for (const { index, inner } of reached)
      addTo(`b.${index}`, partial => matMulInto(graph, partial, inner, gradients[index]!, { transA: true }));
    const inner = innerGradients(graph, reached, gradients, scaling);
    if (inner) {
      const ranks = reached.map(rankOf);
      const parts = split(graph, matMul(graph, inner, seen, { transA: true }), 0, ranks);
      for (const [i, { index }] of reached.entries())
        addTo(`a.${index}`, partial => sum(graph, partial, parts[i]!));
    }
    if (!needs('x')) return;
    addTo('x', partial => {
      let total = partial;
      if (inner) {
        const matrices = reached.length === adapters.length ? stacked! : stack(graph, reached);
        const through = matMul(graph, inner, matrices);
        total = sum(graph, partial, keep ? multiply(graph, through, keep) : through);
      }
      for (const [i, gradient] of gradients.entries())
        if (gradient) total = projections[i]!.matrix.backpropagateInto(graph, gradient, total);
      return total!;
    });
  },
};

/** scaling x Aᵀ for all adapters, in one product. */
function startAdapters(
  graph: GraphBuilder,
  seen: Tensor,
  projections: readonly Projection[],
  scaling: number,
): Saved {
  const adapted = projections.flatMap(({ a, b }, index) => (a && b ? [{ index, a, b }] : []));
  if (adapted.length === 0) return { seen, adapters: [], stacked: null };
  const stacked = stack(graph, adapted);
  const inner = matMul(graph, seen, stacked, { transB: true, alpha: scaling });
  const parts = split(graph, inner, 1, adapted.map(rankOf));
  return { seen, stacked, adapters: adapted.map((adapter, i) => ({ ...adapter, inner: parts[i]! })) };
}

const rankOf = ({ a }: { a: Tensor }) => a.shape[0] as number;

function stack(graph: GraphBuilder, adapters: readonly { a: Tensor }[]): Tensor {
  return concat(
    graph,
    adapters.map(({ a }) => a),
    0,
  );
}

/** The gradient with respect to x Aᵀ of these adapters, side by side: [tokens, ranks]; null without adapters. */
function innerGradients(
  graph: GraphBuilder,
  adapters: readonly Adapter[],
  gradients: readonly (Tensor | undefined)[],
  scaling: number,
): Tensor | null {
  if (adapters.length === 0) return null;
  return concat(
    graph,
    adapters.map(({ index, b }) => matMul(graph, gradients[index]!, b, { transB: true, alpha: scaling })),
    1,
  );
}

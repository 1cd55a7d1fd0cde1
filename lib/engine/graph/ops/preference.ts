// Direct preference optimization: how much more a model prefers one answer to another than a reference does. For each pair,
// z = beta * (log p(chosen) - log p(rejected) - the same of the reference), and the loss is -log sigmoid(z), or a mix of it
// with -log sigmoid(-z) where some labels are thought to be wrong.
import { add, matMul, multiply, reduce, reshape, subtract, unary } from '../primitives.js';
import { type Operation, sum } from '../tape.js';
import type { Tensor } from '../tensor.js';

interface PreferenceOptions {
  /** [pairs, labels]: 1 for the labels of the chosen answer, -1 for those of the rejected one, 0 for those of others. */
  sides: Tensor;
  /** log p(chosen) - log p(rejected) of the reference, [pairs]. */
  reference: Tensor;
  /** [pairs] */
  weights: Tensor;
  beta: number;
  /** The share of pairs that are thought to be the wrong way round, from 0 to less than 0.5. */
  smoothing: number;
}

interface Saved {
  /** [pairs, 1] */
  z: Tensor;
}

/** `losses` are -log p of each label, [labels]; the result is the weighted sum over all pairs. */
export const preference: Operation<{ losses: Tensor }, PreferenceOptions, Saved> = {
  name: 'preference',
  forward(graph, { losses }, { sides, reference, weights, beta, smoothing }) {
    const [pairs, labels] = sides.shape;
    const scalar = (value: number) => graph.values('float32', [], [value]);
    const column = (vector: Tensor) => reshape(graph, vector, [pairs!, 1]);
    const apart = matMul(graph, sides, reshape(graph, losses, [labels!, 1]));
    const z = multiply(graph, add(graph, apart, column(reference)), scalar(-beta));
    // -log sigmoid(z) = softplus(-z) = softplus(z) - z
    const wrong = unary(graph, 'Softplus', z);
    const each = subtract(graph, wrong, multiply(graph, z, scalar(1 - smoothing)));
    const weighted = multiply(graph, each, column(weights));
    return { output: reshape(graph, reduce(graph, 'ReduceSum', weighted, 0), []), saved: { z } };
  },
  backward(graph, { options: { sides, weights, beta, smoothing }, saved: { z }, gradient, addTo }) {
    const [pairs, labels] = sides.shape;
    addTo('losses', partial => {
      const slope = subtract(graph, graph.values('float32', [], [1 - smoothing]), unary(graph, 'Sigmoid', z));
      const byPair = multiply(graph, multiply(graph, slope, reshape(graph, weights, [pairs!, 1])), gradient);
      const byLabel = matMul(graph, sides, byPair, { transA: true, alpha: beta });
      return sum(graph, partial, reshape(graph, byLabel, [labels!]));
    });
  },
};

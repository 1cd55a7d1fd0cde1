// Gates, and the gated activations of the feed-forward part: one half opens the gate for the other.
import type { GraphBuilder, Tensor } from '../graph.js';
import { add, multiply, scale, subtract, unary } from '../primitives.js';
import { type Operation, sum } from '../tape.js';

/** y = sigmoid(x) */
export const sigmoid: Operation<{ x: Tensor }, null, { output: Tensor }> = {
  forward(graph, { x }) {
    const output = unary(graph, 'Sigmoid', x);
    return { output, saved: { output } };
  },
  backward(graph, { saved: { output }, gradient, addTo }) {
    addTo('x', partial => {
      const slope = multiply(graph, output, subtract(graph, one(graph), output));
      return sum(graph, partial, multiply(graph, gradient, slope));
    });
  },
};

interface SwigluSaved {
  /** sigmoid(gate) */
  sigmoid: Tensor;
  /** gate * sigmoid(gate) */
  active: Tensor;
}

/** y = gate * sigmoid(gate) * up */
export const swiglu: Operation<{ gate: Tensor; up: Tensor }, null, SwigluSaved> = {
  forward(graph, { gate, up }) {
    const sigmoid = unary(graph, 'Sigmoid', gate);
    const active = multiply(graph, gate, sigmoid);
    return { output: multiply(graph, active, up), saved: { sigmoid, active } };
  },
  backward(graph, { inputs: { up }, saved: { sigmoid, active }, gradient, addTo }) {
    const byUp = multiply(graph, gradient, active);
    addTo('up', partial => sum(graph, partial, byUp));
    addTo('gate', partial => {
      // d(g s(g)) = s + g s (1 - s), so the gradient is up (byUp + s (gradient - byUp)), which saves a product.
      const rest = multiply(graph, sigmoid, subtract(graph, gradient, byUp));
      return sum(graph, partial, multiply(graph, up, add(graph, byUp, rest)));
    });
  },
};

interface GegluSaved {
  /** tanh(√(2/π) (gate + 0.044715 gate³)) */
  tanh: Tensor;
  /** gate * (1 + tanh) / 2 */
  active: Tensor;
}

const [ROOT, CUBIC] = [Math.sqrt(2 / Math.PI), 0.044715];

/** y = gelu(gate) * up, with the gelu that is computed by tanh */
export const geglu: Operation<{ gate: Tensor; up: Tensor }, null, GegluSaved> = {
  forward(graph, { gate, up }) {
    const tanh = unary(graph, 'Tanh', multiply(graph, gate, quadratic(graph, gate, ROOT, ROOT * CUBIC)));
    const active = multiply(graph, gate, scale(graph, add(graph, tanh, one(graph)), 0.5));
    return { output: multiply(graph, active, up), saved: { tanh, active } };
  },
  backward(graph, { inputs: { gate, up }, saved: { tanh, active }, gradient, addTo }) {
    addTo('up', partial => sum(graph, partial, multiply(graph, gradient, active)));
    addTo('gate', partial => {
      // With t = tanh(u): (1 + t) / 2 * (1 + gate (1 - t) u'), which takes fewer passes over memory than the sum.
      const slope = quadratic(graph, gate, ROOT, 3 * ROOT * CUBIC);
      const left = subtract(graph, one(graph), tanh);
      const inner = add(graph, multiply(graph, multiply(graph, gate, left), slope), one(graph));
      const half = scale(graph, add(graph, tanh, one(graph)), 0.5);
      const byGate = multiply(graph, half, inner);
      return sum(graph, partial, multiply(graph, multiply(graph, gradient, up), byGate));
    });
  },
};

const one = (graph: GraphBuilder) => graph.values('float32', [], [1]);

/** constant + factor * x² */
function quadratic(graph: GraphBuilder, x: Tensor, constant: number, factor: number): Tensor {
  const squared = scale(graph, multiply(graph, x, x), factor);
  return add(graph, squared, graph.values('float32', [], [constant]));
}

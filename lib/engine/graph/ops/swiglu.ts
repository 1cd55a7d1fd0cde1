// y = gate * sigmoid(gate) * up
import { add, multiply, subtract, unary } from '../primitives.js';
import { type Operation, sum } from '../tape.js';
import type { Tensor } from '../tensor.js';

interface Saved {
  /** sigmoid(gate) */
  sigmoid: Tensor;
  /** gate * sigmoid(gate) */
  active: Tensor;
}

export const swiglu: Operation<{ gate: Tensor; up: Tensor }, null, Saved> = {
  name: 'swiglu',
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

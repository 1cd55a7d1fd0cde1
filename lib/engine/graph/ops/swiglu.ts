// y = gate * sigmoid(gate) * up
import { add, multiply, scalar, subtract, unary } from '../primitives.js';
import { type Operation, sum } from '../tape.js';
import type { Tensor } from '../tensor.js';

interface Saved {
  /** sigmoid(gate) */
  open: Tensor;
  /** gate * sigmoid(gate) */
  active: Tensor;
}

export const swiglu: Operation<{ gate: Tensor; up: Tensor }, null, Saved> = {
  name: 'swiglu',
  forward(graph, { gate, up }) {
    const open = unary(graph, 'Sigmoid', gate);
    const active = multiply(graph, gate, open);
    return { output: multiply(graph, active, up), saved: { open, active } };
  },
  backward(graph, { inputs: { up }, saved: { open, active }, gradient, add: addTo }) {
    addTo('up', partial => sum(graph, partial, multiply(graph, gradient, active)));
    addTo('gate', partial => {
      // d(g s) = s + g s (1 - s)
      const slope = add(graph, open, multiply(graph, active, subtract(graph, scalar(graph, 1), open)));
      return sum(graph, partial, multiply(graph, multiply(graph, gradient, up), slope));
    });
  },
};

// y = a + b
import { add } from '../primitives.js';
import { type Operation, sum } from '../tape.js';
import type { Tensor } from '../tensor.js';

export const residual: Operation<{ a: Tensor; b: Tensor }, null, null> = {
  name: 'residual',
  forward: (graph, { a, b }) => ({ output: add(graph, a, b), saved: null }),
  backward(graph, { gradient, add: addTo }) {
    addTo('a', partial => sum(graph, partial, gradient));
    addTo('b', partial => sum(graph, partial, gradient));
  },
};

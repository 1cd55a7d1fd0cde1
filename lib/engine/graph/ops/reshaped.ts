// The same numbers in another shape.
import { reshape } from '../primitives.js';
import { type Operation, sum } from '../tape.js';
import type { Tensor } from '../tensor.js';

export const reshaped: Operation<{ x: Tensor }, { shape: readonly number[] }, null> = {
  name: 'reshaped',
  forward: (graph, { x }, { shape }) => ({ output: reshape(graph, x, shape), saved: null }),
  backward(graph, { inputs: { x }, gradient, add }) {
    add('x', partial => sum(graph, partial, reshape(graph, gradient, x.shape)));
  },
};

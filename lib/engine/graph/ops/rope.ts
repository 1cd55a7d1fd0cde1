// Rotary position embedding. Its gradient is the inverse rotation.
import { type Rotation, rotate } from '../primitives.js';
import { type Operation, sum } from '../tape.js';
import type { Tensor } from '../tensor.js';

export interface RopeOptions extends Rotation {
  /** -sin */
  minusSin: Tensor;
}

/** `x` is [batch, sequence, heads * dim]. */
export const rope: Operation<{ x: Tensor }, RopeOptions, null> = {
  name: 'rope',
  forward: (graph, { x }, options) => ({ output: rotate(graph, x, options), saved: null }),
  backward(graph, { options, gradient, addTo }) {
    addTo('x', partial =>
      sum(graph, partial, rotate(graph, gradient, { ...options, sin: options.minusSin })),
    );
  },
};

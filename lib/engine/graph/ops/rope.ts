// Rotary position embedding. Its gradient is the inverse rotation.
import type { GraphBuilder } from '../graph.js';
import { intoLines, type Lines } from '../lines.js';
import { type Rotation, reshape, rotate } from '../primitives.js';
import { type Operation, sum } from '../tape.js';
import type { Tensor } from '../tensor.js';

export interface RopeOptions extends Rotation {
  lines: Lines;
  /** -sin */
  minusSin: Tensor;
}

/** `x` is [tokens, heads * dim]. */
export const rope: Operation<{ x: Tensor }, RopeOptions, null> = {
  name: 'rope',
  forward: (graph, { x }, options) => ({ output: rotateLines(graph, x, options), saved: null }),
  backward(graph, { options, gradient, addTo }) {
    addTo('x', partial =>
      sum(graph, partial, rotateLines(graph, gradient, { ...options, sin: options.minusSin })),
    );
  },
};

function rotateLines(graph: GraphBuilder, x: Tensor, { lines, ...rotation }: RopeOptions): Tensor {
  const inLines = intoLines(graph, x, lines, [x.shape[1] as number]);
  return reshape(graph, rotate(graph, inLines, rotation), x.shape);
}

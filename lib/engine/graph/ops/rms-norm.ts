// y = x / rms(x) * scale, row by row.
import { multiply, normalizeRows, reduce, reshape, subtract } from '../primitives.js';
import { type Operation, sum } from '../tape.js';
import type { Tensor } from '../tensor.js';

export type RmsNormInputs = {
  /** [rows, dim] */
  x: Tensor;
  /** [dim] */
  scale: Tensor;
};

interface Saved {
  /** 1 / rms(x), [rows, 1] */
  inverse: Tensor;
}

export const rmsNorm: Operation<RmsNormInputs, { epsilon: number }, Saved> = {
  name: 'rmsNorm',
  forward(graph, { x, scale }, { epsilon }) {
    const [output, inverse] = normalizeRows(graph, x, scale, epsilon);
    return { output, saved: { inverse } };
  },
  backward(graph, { inputs: { x, scale }, saved: { inverse }, gradient, add }) {
    const normal = multiply(graph, x, inverse);
    add('scale', partial => {
      const perRow = multiply(graph, gradient, normal);
      return sum(graph, partial, reshape(graph, reduce(graph, 'ReduceSum', perRow, 0), scale.shape));
    });
    add('x', partial => {
      const scaled = multiply(graph, gradient, scale);
      const along = reduce(graph, 'ReduceMean', multiply(graph, scaled, normal), x.shape.length - 1);
      const across = subtract(graph, scaled, multiply(graph, normal, along));
      return sum(graph, partial, multiply(graph, across, inverse));
    });
  },
};

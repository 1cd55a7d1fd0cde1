// y = x / rms(x) * scale, row by row.
import { multiply, normalizeRows, reduce, reshape, subtract } from '../primitives.js';
import { type Operation, sum } from '../tape.js';
import type { Tensor } from '../tensor.js';

type RmsNormInputs = {
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
  backward(graph, { inputs: { x, scale }, saved: { inverse }, gradient, addTo }) {
    addTo('scale', partial => {
      const perRow = multiply(graph, gradient, multiply(graph, x, inverse));
      return sum(graph, partial, reshape(graph, reduce(graph, 'ReduceSum', perRow, 0), scale.shape));
    });
    addTo('x', partial => {
      // inverse * scaled - x * inverse³ * mean(scaled * x); operations on [rows, 1] are almost free.
      const scaled = multiply(graph, gradient, scale);
      const along = reduce(graph, 'ReduceMean', multiply(graph, scaled, x), x.shape.length - 1);
      const cubed = multiply(graph, multiply(graph, inverse, inverse), inverse);
      const back = multiply(graph, x, multiply(graph, cubed, along));
      return sum(graph, partial, subtract(graph, multiply(graph, scaled, inverse), back));
    });
  },
};

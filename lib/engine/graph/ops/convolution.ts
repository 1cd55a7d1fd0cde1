// A causal convolution over the rows of lines, channel by channel: what mixes tokens in layers that do not attend.
import type { GraphBuilder, Tensor } from '../graph.js';
import { add, concat, emit, multiply, reduce, reshape, slice, transpose, trim } from '../primitives.js';
import { type Operation, sum } from '../tape.js';

type ConvolutionInputs = {
  /** [tokens, channels] */
  x: Tensor;
  /** [channels, 1, length] */
  weight: Tensor;
};

interface ConvolutionOptions {
  /**
   * For 1, 2, ... tokens back, 1 where a token's row of data has a token there and 0 elsewhere, [tokens, 1]. Rows follow each
   * other in a line, so a shift of all tokens would otherwise cross their borders.
   */
  reaches: readonly Tensor[];
}

interface ConvolutionSaved {
  /** The weights, one row for each token of the past, the own one first: [1, channels]. */
  taps: readonly Tensor[];
  /** x, and what it was 1, 2, ... tokens back: zeros where the row has not begun. */
  seen: readonly Tensor[];
}

/** y[t] = Σ tap[i] * x[t - i], within the row of t. */
export const causalConvolution: Operation<ConvolutionInputs, ConvolutionOptions, ConvolutionSaved> = {
  forward(graph, { x, weight }, { reaches }) {
    const taps = splitTaps(graph, weight);
    const padded = withZeros(graph, x, reaches.length, 'before');
    const seen = reaches.map((reach, i) => {
      const back = i + 1;
      return multiply(graph, trim(graph, padded, 0, [reaches.length - back, back], x.shape[0]!), reach);
    });
    const terms = [x, ...seen].map((values, i) => multiply(graph, values, taps[i]!));
    const output = terms.reduce((total, term) => add(graph, total, term));
    return { output, saved: { taps, seen: [x, ...seen] } };
  },
  backward(graph, { inputs: { x, weight }, options: { reaches }, saved, gradient, addTo }) {
    const { taps, seen } = saved;
    addTo('x', partial => {
      const own = multiply(graph, gradient, taps[0]!);
      const later = reaches.map((reach, i) => {
        const back = i + 1;
        const byPast = multiply(graph, multiply(graph, gradient, reach), taps[back]!);
        return trim(graph, withZeros(graph, byPast, back, 'after'), 0, [back, 0], x.shape[0]!);
      });
      return sum(
        graph,
        partial,
        [own, ...later].reduce((total, term) => add(graph, total, term)),
      );
    });
    addTo('weight', partial => {
      const [channels] = weight.shape;
      const byTap = seen.map(values =>
        reshape(graph, reduce(graph, 'ReduceSum', multiply(graph, gradient, values), 0), [channels!, 1, 1]),
      );
      return sum(graph, partial, concat(graph, byTap.toReversed(), 2));
    });
  },
};

function splitTaps(graph: GraphBuilder, weight: Tensor): Tensor[] {
  const [channels, , length] = weight.shape as [number, number, number];
  const rows = transpose(graph, reshape(graph, weight, [channels, length]), [1, 0]);
  return Array.from({ length }, (_, back) => slice(graph, rows, 0, length - 1 - back, length - back));
}

/** With rows of zeros at one end: [tokens, channels] -> [tokens + rows, channels] */
function withZeros(graph: GraphBuilder, a: Tensor, rows: number, where: 'before' | 'after'): Tensor {
  const [tokens, channels] = a.shape as [string, number];
  const zeros = graph.values('float32', [rows, channels], Array<number>(rows * channels).fill(0));
  const parts = where === 'before' ? [zeros, a] : [a, zeros];
  return emit(
    graph,
    'Concat',
    parts,
    { dtype: a.dtype, shape: [`${tokens}+${rows}`, channels] },
    { axis: 0 },
  );
}

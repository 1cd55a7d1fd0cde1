// The gated delta rule: each head has a state, [keyDim, valueDim], which every token decays, corrects and reads:
//
//   S = exp(decay) S,  S += k ⊗ beta (v - Sᵀ k),  y = Sᵀ q
//
// In chunks: what the tokens of a chunk do to each other are products of matrices, for all chunks at once, and only the
// states follow one another. A row of data starts with a state of zeros.

import type { GraphBuilder, Tensor } from '../graph.js';
import {
  add,
  cumulate,
  matMul,
  multiply,
  reduce,
  reshape,
  scale,
  slice,
  subtract,
  unary,
} from '../primitives.js';
import { chain } from '../states.js';
import { type Operation, sum } from '../tape.js';
import { type Chunks, fromChunks, toChunks } from './chunks.js';

type DeltaRuleInputs = {
  /** [tokens, heads * keyDim] */
  q: Tensor;
  /** The same; each head's vector has length 1. */
  k: Tensor;
  /** [tokens, heads * valueDim] */
  v: Tensor;
  /** How much of the difference is corrected, [tokens, heads]: between 0 and 1. */
  beta: Tensor;
  /** The logarithm of what is kept of the state, [tokens, heads]: at most 0. */
  decay: Tensor;
};

interface DeltaRuleOptions {
  heads: number;
  chunks: Chunks;
}

/** In chunks, [chunks, lines, heads, ...]: with `size` tokens, the last axis is the one of the name. */
interface Saved {
  q: Tensor;
  k: Tensor;
  v: Tensor;
  beta: Tensor;
  kBeta: Tensor;
  /** How much of what a token wrote is left when another reads it, [size, size]. */
  left: Tensor;
  /** The share of the state before the chunk that remains at each token, [size, 1]. */
  leftOfState: Tensor;
  /** How much of what a token wrote is left after the chunk, [size, 1]. */
  leftAfter: Tensor;
  /** How much of the state before the chunk is left after it, [1, 1]. */
  kept: Tensor;
  /** What tokens ask of earlier ones of the chunk, by their keys and by their queries, [size, size]. */
  asked: Tensor;
  read: Tensor;
  /** The inverse of 1 + asked: from differences to the state before the chunk to those to the state of each token. */
  resolve: Tensor;
  /** How each token reads the state before the chunk: by its key, and by its query; and how it writes the one after. */
  stateKeys: Tensor;
  stateQueries: Tensor;
  writeKeys: Tensor;
  resolvedKeys: Tensor;
  resolvedValues: Tensor;
  /** The state before each chunk, [keyDim, valueDim]. */
  states: Tensor;
  /** What each token writes along its key. */
  written: Tensor;
}

export const deltaRule: Operation<DeltaRuleInputs, DeltaRuleOptions, Saved> = {
  forward(graph, inputs, options) {
    const parts = toParts(graph, inputs, options);
    const { written, read, states, stateQueries } = parts;
    const mixed = add(graph, matMul(graph, stateQueries, states), matMul(graph, read, written));
    return { output: fromChunks(graph, mixed, options.chunks, inputs.v), saved: parts };
  },
  backward(graph, { inputs, options: { heads, chunks }, saved, gradient, addTo }) {
    const found = gradientsOf(graph, saved, toChunks(graph, gradient, chunks, heads), chunks);
    for (const name of ['q', 'k', 'v', 'beta', 'decay'] as const)
      addTo(name, partial => sum(graph, partial, fromChunks(graph, found[name], chunks, inputs[name])));
  },
};

function toParts(graph: GraphBuilder, inputs: DeltaRuleInputs, { heads, chunks }: DeltaRuleOptions): Saved {
  const [q, k, v, beta, decay] = (['q', 'k', 'v', 'beta', 'decay'] as const).map(name =>
    toChunks(graph, inputs[name], chunks, heads),
  ) as [Tensor, Tensor, Tensor, Tensor, Tensor];
  const kBeta = multiply(graph, k, beta);
  const decays = toDecays(graph, decay, chunks);
  const { left, leftOfState, leftAfter, kept } = decays;

  const products = (a: Tensor) => multiply(graph, matMul(graph, a, k, { transB: true }), left);
  const asked = multiply(graph, products(kBeta), earlier(graph, chunks.size));
  const resolve = invert(graph, asked, chunks.size);
  const stateKeys = multiply(graph, kBeta, leftOfState);
  const resolvedKeys = matMul(graph, resolve, stateKeys);
  const resolvedValues = matMul(graph, resolve, multiply(graph, v, beta));
  const writeKeys = multiply(graph, k, leftAfter);

  const states = chain(graph, {
    ...{ factor: kept, left: writeKeys, right: resolvedKeys },
    update: matMul(graph, writeKeys, resolvedValues, { transA: true }),
  });
  const written = subtract(graph, resolvedValues, matMul(graph, resolvedKeys, states));
  return {
    ...{ q, k, v, beta, kBeta, ...decays, asked, read: products(q), resolve },
    ...{ stateKeys, stateQueries: multiply(graph, q, leftOfState), writeKeys },
    ...{ resolvedKeys, resolvedValues, states, written },
  };
}

function toDecays(graph: GraphBuilder, decay: Tensor, { size, among, before, after }: Chunks) {
  const sums = cumulate(graph, decay, 3); // [chunks, lines, heads, size, 1]
  const total = reduce(graph, 'ReduceSum', decay, 3); // [chunks, lines, heads, 1, 1]
  const asColumns = reshape(graph, sums, [...sums.shape.slice(0, 3), 1, size]);
  const exp = (a: Tensor, mask: Tensor) => unary(graph, 'Exp', add(graph, a, mask));
  return {
    left: exp(subtract(graph, sums, asColumns), among),
    leftOfState: exp(sums, before),
    leftAfter: exp(subtract(graph, total, sums), after),
    kept: exp(total, slice(graph, before, 3, size - 1, size)),
  };
}

type Gradients = Record<keyof DeltaRuleInputs, Tensor>;

function gradientsOf(graph: GraphBuilder, saved: Saved, byOutput: Tensor, { size }: Chunks): Gradients {
  const { q, k, v, beta, kBeta, left, leftOfState, leftAfter, states, written } = saved;
  const { asked, read, stateKeys, stateQueries, writeKeys, resolvedKeys } = saved;
  const product = (a: Tensor, b: Tensor) => matMul(graph, a, b);
  const fromLeft = (a: Tensor, b: Tensor) => matMul(graph, a, b, { transA: true });
  const across = (a: Tensor, b: Tensor) => matMul(graph, a, b, { transB: true });
  const times = (a: Tensor, b: Tensor) => multiply(graph, a, b);
  const plus = (...terms: [Tensor, ...Tensor[]]) => terms.reduce((total, term) => add(graph, total, term));
  const along = (axis: number, a: Tensor) => reduce(graph, 'ReduceSum', a, axis);

  const byRead = fromLeft(read, byOutput);
  // The gradient by the state after each chunk is a chain of the same kind, from the last chunk to the first.
  const byStates = chain(
    graph,
    {
      ...{ factor: saved.kept, left: resolvedKeys, right: writeKeys },
      update: subtract(graph, fromLeft(stateQueries, byOutput), fromLeft(resolvedKeys, byRead)),
    },
    { reverse: true },
  );
  const byWritten = plus(byRead, product(writeKeys, byStates));
  const byWriteKeys = across(written, byStates);
  const byStateQueries = across(byOutput, states);
  const byVBeta = fromLeft(saved.resolve, byWritten);
  const byStateKeys = scale(graph, fromLeft(saved.resolve, across(byWritten, states)), -1);
  // Of an inverse R, by what it is multiplied with: Rᵀ g; by what is inverted: -(Rᵀ g) (R x)ᵀ.
  const resolved = plus(across(byVBeta, saved.resolvedValues), across(byStateKeys, resolvedKeys));
  const byAsked = times(resolved, earlier(graph, size, -1));
  const byOutputs = across(byOutput, written);

  const byKeyProducts = times(byAsked, left);
  const byQueryProducts = times(byOutputs, left);
  const byKBeta = plus(product(byKeyProducts, k), times(byStateKeys, leftOfState));
  const byPairs = plus(times(byAsked, asked), times(byOutputs, read));
  const byBefore = along(4, plus(times(byStateQueries, stateQueries), times(byStateKeys, stateKeys)));
  const byAfter = along(4, times(byWriteKeys, writeKeys));
  const bySums = subtract(graph, plus(along(4, byPairs), byBefore), plus(byColumns(graph, byPairs), byAfter));
  const byKept = times(saved.kept, along(3, along(4, times(byStates, states))));
  return {
    q: plus(product(byQueryProducts, k), times(byStateQueries, leftOfState)),
    k: plus(
      fromLeft(byKeyProducts, kBeta),
      fromLeft(byQueryProducts, q),
      times(byWriteKeys, leftAfter),
      times(byKBeta, beta),
    ),
    v: times(byVBeta, beta),
    beta: plus(along(4, times(byKBeta, k)), along(4, times(byVBeta, v))),
    decay: plus(cumulate(graph, bySums, 3, { reverse: true }), plus(along(3, byAfter), byKept)),
  };
}

/** The sum of each column, as a column. */
function byColumns(graph: GraphBuilder, a: Tensor): Tensor {
  return reshape(graph, reduce(graph, 'ReduceSum', a, 3), [...a.shape.slice(0, 4), 1]);
}

/** 1, or another factor, where a column is before its row; else 0. */
function earlier(graph: GraphBuilder, size: number, factor = 1): Tensor {
  return squareOf(graph, size, (row, column) => (column < row ? factor : 0));
}

function squareOf(graph: GraphBuilder, size: number, of: (row: number, column: number) => number): Tensor {
  const values = Array.from({ length: size * size }, (_, i) => of(Math.floor(i / size), i % size));
  return graph.values('float32', [size, size], values);
}

/**
 * The inverse of 1 + `lower`, which has values below the diagonal only. From blocks on the diagonal to blocks of twice the
 * size: the inverse of [A 0; B C] is [a 0; -cBa c], with a and c those of A and C. A series of powers would need no more
 * products, but its terms grow beyond what float32 can cancel when the keys of a chunk are alike.
 */
function invert(graph: GraphBuilder, lower: Tensor, size: number): Tensor {
  const identity = squareOf(graph, size, (row, column) => Number(row === column));
  let inverse = subtract(graph, identity, multiply(graph, lower, lowerBlocks(graph, size, 1)));
  for (let block = 2; block < size; block *= 2) {
    const between = multiply(graph, lower, lowerBlocks(graph, size, block));
    const update = matMul(graph, matMul(graph, inverse, between), inverse);
    inverse = subtract(graph, inverse, update);
  }
  return inverse;
}

/** 1 in the lower left quarter of each block of twice this size on the diagonal; else 0. */
function lowerBlocks(graph: GraphBuilder, size: number, block: number): Tensor {
  return squareOf(graph, size, (row, column) => {
    const isSame = Math.floor(row / (2 * block)) === Math.floor(column / (2 * block));
    return Number(isSame && row % (2 * block) >= block && column % (2 * block) < block);
  });
}

type DecayInputs = {
  /** [tokens, heads] */
  x: Tensor;
  /** [heads] */
  bias: Tensor;
  rate: Tensor;
};

/** y = -exp(rate) softplus(x + bias): the logarithm of what is kept of a state. */
export const stateDecay: Operation<DecayInputs, null, { shifted: Tensor; factor: Tensor; output: Tensor }> = {
  forward(graph, { x, bias, rate }) {
    const shifted = add(graph, x, bias);
    const factor = unary(graph, 'Neg', unary(graph, 'Exp', rate));
    const output = multiply(graph, unary(graph, 'Softplus', shifted), factor);
    return { output, saved: { shifted, factor, output } };
  },
  backward(graph, { inputs: { rate, bias }, saved: { shifted, factor, output }, gradient, addTo }) {
    const byShifted = multiply(graph, multiply(graph, gradient, factor), unary(graph, 'Sigmoid', shifted));
    const overTokens = (a: Tensor, { shape }: Tensor) =>
      reshape(graph, reduce(graph, 'ReduceSum', a, 0), shape);
    addTo('x', partial => sum(graph, partial, byShifted));
    addTo('bias', partial => sum(graph, partial, overTokens(byShifted, bias)));
    addTo('rate', partial => sum(graph, partial, overTokens(multiply(graph, gradient, output), rate)));
  },
};

// Products with rounded matrices, as nodes of a graph. The rows of the other operand are rounded too, each with a scale of
// its own; the runtime multiplies integers, sums them in 32 bits, and the result is scaled back.
import {
  add,
  divide,
  type GraphBuilder,
  type IntegerOperand,
  integerProduct,
  multiply,
  quantize,
  reduce,
  type Tensor,
  unary,
} from '../graph/index.js';

/** A rounded matrix in a graph: the second operand of a product, [length, lines]. */
export interface RoundedOperand extends IntegerOperand {
  /** float32 [lines] */
  scales: Tensor;
}

/** Rows as integers: row ≈ (integers - zero) × step × largest. */
interface RoundedRows extends IntegerOperand {
  step: number;
  /** The largest magnitude of each row, [..., 1]. */
  largest: Tensor;
}

/** How rows become bytes. Probabilities are never negative, so they have all of the range. */
const RANGES = {
  signed: { zero: 128, step: 1 / 127 },
  positive: { zero: 0, step: 1 / 255 },
} as const;

type Range = keyof typeof RANGES;

/** Keeps rows of zeros from being divided by 0. */
const TINY = 1e-30;

/** Adds products to one graph. Rows that go into several products are rounded once. */
export class RoundedProducts {
  readonly #graph: GraphBuilder;
  readonly #rounded = new Map<string, RoundedRows>();

  constructor(graph: GraphBuilder) {
    this.#graph = graph;
  }

  /** rows @ operand */
  multiply(rows: Tensor, operand: RoundedOperand, range: Range = 'signed'): Tensor {
    const graph = this.#graph;
    const { step, largest, ...integers } = this.#round(rows, range);
    return multiply(graph, integerProduct(graph, integers, operand, step, operand.scales), largest);
  }

  #round(rows: Tensor, range: Range): RoundedRows {
    const found = this.#rounded.get(rows.name);
    if (found) return found;
    const graph = this.#graph;
    const { zero, step } = RANGES[range];
    const last = rows.shape.length - 1;
    const scalar = (value: number) => graph.values('float32', [], [value]);
    const highest = reduce(graph, 'ReduceMax', range === 'signed' ? unary(graph, 'Abs', rows) : rows, last);
    // The runtime's ReduceMax skips NaN, and a NaN must not become a number.
    const nothing = multiply(graph, reduce(graph, 'ReduceSum', rows, last), scalar(0));
    const largest = add(graph, add(graph, highest, scalar(TINY)), nothing);
    const integers = quantize(graph, divide(graph, rows, largest), step, zero);
    const rounded = { integers, zero, step, largest };
    this.#rounded.set(rows.name, rounded);
    return rounded;
  }
}

// Products with rounded matrices, as nodes of a graph. The rows of the other operand are rounded too, each with a scale of
// its own; the runtime multiplies integers, sums them in 32 bits, and the result is scaled back.
import {
  add,
  concat,
  dequantize,
  divide,
  emit,
  type FixedTensor,
  type GraphBuilder,
  type IntegerOperand,
  integerProduct,
  multiply,
  quantize,
  reduce,
  subtract,
  type Tensor,
  unary,
} from '../graph/index.js';

/** A rounded matrix in a graph: the second operand of a product, [length, lines]. */
export interface RoundedOperand extends IntegerOperand {
  /** float32 [lines] */
  scales: Tensor;
}

/** A balance in a graph. */
export interface BalanceOperand {
  /** float32 [channels + copies] */
  factors: FixedTensor;
  /** int64 [copies]; null if there are none. */
  copied: FixedTensor | null;
}

/** Rows as integers: row ≈ Σ (integers - zero) × step of each term, × largest. */
interface RoundedRows {
  /** The rows divided by their largest magnitudes. */
  relative: Tensor;
  /** The largest magnitude of each row, [..., 1]. */
  largest: Tensor;
  /** Each term rounds what the ones before it lose. */
  terms: RoundedTerm[];
}

interface RoundedTerm extends IntegerOperand {
  step: number;
}

/** How rows become bytes. Probabilities are never negative, so they get the whole range. */
const RANGES = {
  signed: { zero: 128, step: 1 / 127 },
  positive: { zero: 0, step: 1 / 255 },
} as const;

type Range = keyof typeof RANGES;

interface ProductOptions {
  /** Default: `signed`. */
  range?: Range;
  /** 1 by default. With 2, the rows keep about 15 bits, and the product takes twice as long. */
  terms?: 1 | 2;
  /** What rounding the operand lost. With it, there are two terms, and a third product. */
  rest?: RoundedOperand | null;
  /** The same for all products of the same rows. */
  balance?: BalanceOperand | undefined;
  /** Whether NaN in a row stays NaN, which takes three more nodes; infinity always stays. Off by default. */
  keepsNaN?: boolean;
}

/** Adds products to one graph. Rows that go into several products are rounded once. */
export class RoundedProducts {
  readonly graph: GraphBuilder;
  readonly #rounded = new Map<string, RoundedRows>();

  constructor(graph: GraphBuilder) {
    this.graph = graph;
  }

  /** rows @ operand */
  multiply(
    rows: Tensor,
    operand: RoundedOperand,
    { range = 'signed', rest = null, terms = rest ? 2 : 1, keepsNaN = false, balance }: ProductOptions = {},
  ): Tensor {
    const graph = this.graph;
    const rounded = this.#round(rows, range, keepsNaN, balance);
    while (rounded.terms.length < terms) rounded.terms.push(this.#nextTerm(rounded));
    const [first] = rounded.terms;
    const factors = rounded.terms.slice(0, terms).map(term => [term, operand] as const);
    if (rest) factors.push([first!, rest]);
    const products = factors.map(([term, by]) => integerProduct(graph, term, by, term.step, by.scales));
    return multiply(
      graph,
      products.reduce((sum, product) => add(graph, sum, product)),
      rounded.largest,
    );
  }

  #round(given: Tensor, range: Range, keepsNaN: boolean, balance: BalanceOperand | undefined): RoundedRows {
    const key = `${given.name}.${keepsNaN}.${balance?.factors.name}`;
    const found = this.#rounded.get(key);
    if (found) return found;
    const graph = this.graph;
    const rows = balance ? balanceRows(graph, given, balance) : given;
    const { zero, step } = RANGES[range];
    const last = rows.shape.length - 1;
    const highest = reduce(graph, 'ReduceMax', range === 'signed' ? unary(graph, 'Abs', rows) : rows, last);
    // The runtime's ReduceMax skips NaN.
    const nothing = () =>
      multiply(graph, reduce(graph, 'ReduceSum', rows, last), graph.values('float32', [], [0]));
    const largest = keepsNaN ? add(graph, highest, nothing()) : highest;
    // A row of zeros becomes NaN here, then any integers, and zeros again when they are multiplied with `largest`.
    const relative = divide(graph, rows, largest);
    const terms = [{ integers: quantize(graph, relative, step, zero), zero, step }];
    const rounded = { relative, largest, terms };
    this.#rounded.set(key, rounded);
    return rounded;
  }

  /** What the first term loses is at most half of its step. */
  #nextTerm({ relative, terms: [first] }: RoundedRows): RoundedTerm {
    const graph = this.graph;
    const { zero, step: bound } = RANGES.signed;
    const step = (first!.step / 2) * bound;
    const lost = subtract(graph, relative, dequantize(graph, first!.integers, first!.step, first!.zero));
    return { integers: quantize(graph, lost, step, zero), zero, step };
  }
}

function balanceRows(graph: GraphBuilder, rows: Tensor, { factors, copied }: BalanceOperand): Tensor {
  const all = copied ? concat(graph, [rows, gatherLast(graph, rows, copied)], rows.shape.length - 1) : rows;
  return multiply(graph, all, factors);
}

/** Some channels of each row. */
function gatherLast(graph: GraphBuilder, rows: Tensor, channels: FixedTensor): Tensor {
  const shape = [...rows.shape.slice(0, -1), channels.shape[0]!];
  return emit(graph, 'Gather', [rows, channels], { dtype: rows.dtype, shape }, { axis: -1 });
}

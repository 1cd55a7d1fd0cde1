// A model whose products are computed in integers: its frozen matrices are rounded to 8 bits. Everything else of it, and
// what is trained, stays as it is.
import { join as joinPath } from 'node:path';
import {
  add,
  cast,
  concat,
  type GraphBuilder,
  gatherRows,
  multiply,
  subtract,
  type Tensor,
} from '../graph/index.js';
import {
  EMBEDDING,
  type ModelConfig,
  type ModelSource,
  matrixGroups,
  OUTPUT,
  outputName,
  type WeightSource,
  type Weights,
} from '../model/index.js';
import type { Balance } from './balance.js';
import type { DigestOptions } from './content-digest.js';
import type { Compute } from './exact-pass.js';
import { findPlans, type InputPlans, keepPlans } from './input-plans.js';
import {
  type Direction,
  digestMatrices,
  type IntegerForm,
  type LocatedPart,
  type MatrixToRound,
  openRoundedFile,
  type RoundedMatrix,
} from './rounded-file.js';
import { type BalanceOperand, type RoundedOperand, RoundedProducts } from './rounded-product.js';

interface RoundingOptions {
  /** Keeps the rounded matrices for the next start. */
  folder: string;
  /** Whether gradients flow back through the matrices. */
  trains: boolean;
  /** The one whose products are exact on this machine. */
  form: IntegerForm;
  compute: Compute;
  /** The tokens of a usual text, to find out how to round what is multiplied. Default: tokens spread over the vocabulary. */
  sample?: (() => Promise<readonly number[]>) | undefined;
}

export async function roundModel(
  model: ModelSource,
  { folder, trains, form, compute, sample = async () => spreadIds(model.config) }: RoundingOptions,
): Promise<ModelSource> {
  const matrices = matricesOf(model);
  const plans = await keepPlans(
    joinPath(folder, `${await digestMatrices(matrices, { folder })}.inputs`),
    matrices.map(({ name }) => name),
    async () => findPlans(model, await sample(), compute),
  );
  const balanced = matrices.map(matrix => ({ ...matrix, balance: plans.get(matrix.name)!.balance }));
  const withRest = balanced.filter(({ name }) => plans.get(name)!.hasRest);
  const inUse = new Set<string>();
  const open = (direction: Direction, of: readonly MatrixToRound[]) =>
    openRoundedFile(folder, of, direction, form, { inUse });
  const files = {
    forward: await open('forward', balanced),
    rest: withRest.length > 0 ? await open('rest', withRest) : null,
    backward: trains ? await open('backward', matrices.map(centerTable)) : null,
  };
  return { ...model, bytesPerWeight: 1, weights: roundedWeights(model, form, files, plans) };
}

const TOKENS = 64;
/** Prime, so the tokens are spread over any vocabulary. */
const STRIDE = 7919;

/** Where a model has no text. */
export function spreadIds({ maxPositions, vocabulary }: ModelConfig): number[] {
  return Array.from({ length: Math.min(TOKENS, maxPositions) }, (_, i) => (i * STRIDE) % vocabulary);
}

/** Changes with the content of the model's files; null if they would have to be read. */
export function digestWeights(model: ModelSource, options: DigestOptions): Promise<string | null> {
  return digestMatrices(matricesOf(model), options);
}

function matricesOf({ config, place }: ModelSource): MatrixToRound[] {
  return matrixGroups(config)
    .flat()
    .map(name => ({ name, location: place(name), centered: false }));
}

/** Σ p = 1, so a mean row taken out of the table does not change how far rows are apart, and what rounding loses has no mean. */
function centerTable(matrix: MatrixToRound): MatrixToRound {
  return { ...matrix, centered: matrix.name === EMBEDDING || matrix.name === OUTPUT };
}

type Rounded = ReadonlyMap<string, RoundedMatrix>;

function roundedWeights(
  { config, weights: stored }: ModelSource,
  form: IntegerForm,
  files: Readonly<Record<Direction, Rounded | null>>,
  plans: InputPlans,
): WeightSource {
  return (graph: GraphBuilder): Weights => {
    const { tensor } = stored(graph);
    const products = new RoundedProducts(graph);
    const operands = new Map<string, RoundedOperand>();
    const operandOf = (name: string, direction: Direction): RoundedOperand => {
      const key = `${name}.${direction}`;
      const rounded = files[direction]!.get(name)!;
      return operands.get(key) ?? operands.set(key, addOperand(graph, key, form, rounded)).get(key)!;
    };
    const joinedFrom = (names: readonly string[], direction: Direction) =>
      join(
        graph,
        names.map(name => operandOf(name, direction)),
      );
    const balances = new Map<Balance, BalanceOperand>();
    const balanceOf = (name: string): BalanceOperand => {
      const { balance } = plans.get(name)!;
      return balances.get(balance) ?? balances.set(balance, addBalance(graph, name, balance)).get(balance)!;
    };
    const forwardProduct = (names: readonly string[], x: Tensor) => {
      const [first] = names;
      const { terms, hasRest } = plans.get(first!)!;
      return products.multiply(x, joinedFrom(names, 'forward'), {
        terms,
        rest: hasRest ? joinedFrom(names, 'rest') : null,
        balance: balanceOf(first!),
        // A NaN from an earlier product stays in the residual stream and surfaces here, so only the last product has to keep it.
        keepsNaN: names.includes(outputName(config)),
      });
    };
    return {
      tensor,
      matrix: name => ({
        multiply: (_, x) => forwardProduct([name], x),
        multiplyInto: (_, x, addend) => add(graph, forwardProduct([name], x), addend),
        backpropagateInto(_, gradient, partial) {
          // NaN comes down the residual stream too, which is never rounded.
          const product = products.multiply(gradient, operandOf(name, 'backward'));
          return partial ? add(graph, partial, product) : product;
        },
      }),
      joined: names => ({ multiply: (_, x) => forwardProduct(names, x) }),
      table: name => ({
        multiply: (_, x) => forwardProduct([name], x),
        // Both are without the mean row. Near the end of training they are almost equal, and stay so rounded. In one term, all tokens
        // with less than a 510th of the likeliest one's probability would count for nothing: in a large vocabulary, much of the whole.
        mean: (_, probabilities) =>
          products.multiply(probabilities, operandOf(name, 'backward'), {
            range: 'positive',
            terms: 2,
            keepsNaN: true,
          }),
        rowsOf: (_, tokens) => rowsOf(graph, operandOf(name, 'backward'), tokens),
      }),
    };
  };
}

/** Rows of the matrix, as products with it see them. */
function rowsOf(graph: GraphBuilder, { integers, scales, zero }: RoundedOperand, rows: Tensor): Tensor {
  const chosen = cast(graph, gatherRows(graph, integers, rows), 'float32');
  const centered = zero === 0 ? chosen : subtract(graph, chosen, graph.values('float32', [], [zero]));
  return multiply(graph, centered, scales);
}

/** The runtime joins them once. */
function join(graph: GraphBuilder, operands: readonly RoundedOperand[]): RoundedOperand {
  const all = (part: 'integers' | 'scales', axis: number) =>
    concat(
      graph,
      operands.map(operand => operand[part]),
      axis,
    );
  return { integers: all('integers', 1), scales: all('scales', 0), zero: operands[0]!.zero };
}

function addOperand(
  graph: GraphBuilder,
  name: string,
  form: IntegerForm,
  { integers, scales }: RoundedMatrix,
): RoundedOperand {
  const constant = (part: string, dtype: IntegerForm | 'float32', { shape, source }: LocatedPart) =>
    graph.constant(`${name}.${part}`, dtype, shape, source);
  return {
    integers: constant('integers', form, integers),
    zero: form === 'int8' ? 0 : 128,
    scales: constant('scales', 'float32', scales),
  };
}

function addBalance(graph: GraphBuilder, name: string, { factors, copied }: Balance): BalanceOperand {
  const bytes = new Uint8Array(Float32Array.from(factors).buffer);
  return {
    factors: graph.constant(`${name}.factors`, 'float32', [factors.length], { bytes }),
    copied: copied.length === 0 ? null : graph.values('int64', [copied.length], copied),
  };
}

// A model whose products are computed in integers: its frozen matrices are rounded to 8 bits. Everything else of it, and
// what is trained, stays as it is.
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
  type ModelSource,
  matrixGroups,
  OUTPUT,
  outputName,
  type WeightSource,
  type Weights,
} from '../model/index.js';
import type { DigestOptions } from './content-digest.js';
import {
  type Direction,
  digestMatrices,
  type IntegerForm,
  type LocatedPart,
  type MatrixToRound,
  openRoundedFile,
  type RoundedMatrix,
} from './rounded-file.js';
import { type ForwardProduct, type RoundedOperand, RoundedProducts } from './rounded-product.js';
import { type Compute, findSensitive, keepNames } from './sensitive.js';

interface RoundingOptions {
  /** Keeps the rounded matrices for the next start. */
  folder: string;
  /** Whether gradients flow back through the matrices. */
  trains: boolean;
  /** The one whose products are exact on this machine. */
  form: IntegerForm;
  compute: Compute;
}

export async function roundModel(
  model: ModelSource,
  { folder, trains, form, compute }: RoundingOptions,
): Promise<ModelSource> {
  const matrices = matricesOf(model);
  const open = (direction: Direction, of = matrices) => openRoundedFile(folder, of, direction, form);
  const { file, matrices: forward } = await open('forward');
  const backward = trains ? (await open('backward', matrices.map(centerTable))).matrices : null;
  const withProduct = (product: ForwardProduct, rest: Rounded | null = null): ModelSource => ({
    ...model,
    bytesPerWeight: 1,
    weights: roundedWeights(model.weights, form, { forward, rest, backward }, product),
  });
  const sensitive = await keepNames(`${file}.sensitive`, () => findSensitive(withProduct, compute));
  const found = matrices.filter(({ name }) => sensitive.has(name));
  const rest = found.length > 0 ? (await open('rest', found)).matrices : null;
  return withProduct((products, x, { names, operand, rest }) => {
    // A NaN from an earlier product stays in the residual stream and surfaces here, so only the last product has to keep it.
    const keepsNaN = names.includes(outputName(model.config));
    return products.multiply(x, operand, { rest, keepsNaN });
  }, rest);
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
  stored: WeightSource,
  form: IntegerForm,
  files: Readonly<Record<Direction, Rounded | null>>,
  product: ForwardProduct,
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
    const forwardProduct = (names: readonly string[], x: Tensor) => {
      const hasRest = names.every(name => files.rest?.has(name));
      const rest = hasRest ? joinedFrom(names, 'rest') : null;
      return product(products, x, { names, operand: joinedFrom(names, 'forward'), rest });
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
        distanceFromLabels(_, probabilities, labels) {
          // Both terms are without the mean row. Near the end of training they are almost equal, and stay so rounded.
          const operand = operandOf(name, 'backward');
          const mixed = products.multiply(probabilities, operand, { range: 'positive', keepsNaN: true });
          return subtract(graph, mixed, rowsOf(graph, operand, labels));
        },
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

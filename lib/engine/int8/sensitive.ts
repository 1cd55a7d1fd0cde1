// Finds the matrices whose inputs round badly. If a few values of a row are far larger than the others, a scale that fits
// them rounds away the others, so these products split the row and the weights into two terms.
import { readFile } from 'node:fs/promises';
import { replaceFile } from '../../system/index.js';
import {
  divide,
  type Graph,
  type GraphBuilder,
  multiply,
  reduce,
  subtract,
  type Tensor,
} from '../graph/index.js';
import {
  buildLogitsGraph,
  type LineInputs,
  layerModules,
  type ModelConfig,
  type ModelSource,
  matrixGroups,
  toLineInputs,
} from '../model/index.js';
import { toModulePath } from '../weights/index.js';
import type { ForwardProduct } from './rounded-product.js';

/** Runs a graph once and returns its outputs. */
export type Compute = (graph: Graph, inputs: LineInputs) => Promise<Record<string, Float32Array>>;

/** How much of a product may be lost, by its squares. Rows without outliers lose up to 2.5 %, those with them 5 to 15 %. */
const LARGEST_LOSS = 0.04 ** 2;
const TOKENS = 64;
/** Prime, so the tokens are spread over any vocabulary. */
const STRIDE = 7919;

const lossOf = (name: string) => `lost.${name}`;

/** Computes one line of tokens with both kinds of product, and names the matrices where they differ. */
export async function findSensitive(
  withProduct: (product: ForwardProduct) => ModelSource,
  compute: Compute,
): Promise<ReadonlySet<string>> {
  const names: string[] = [];
  const { config, weights } = withProduct((products, x, { names: [name], operand }) => {
    const [coarse, fine] = ([1, 2] as const).map(terms => products.multiply(x, operand, { terms }));
    products.graph.output(lossOf(name!), relativeDifference(products.graph, coarse!, fine!));
    names.push(name!);
    return fine!;
  });
  const ids = Array.from(
    { length: Math.min(TOKENS, config.maxPositions) },
    (_, i) => (i * STRIDE) % config.vocabulary,
  );
  const { graph } = buildLogitsGraph(config, weights, { rank: 1, scaling: 1, modules: [] }, ids.length);
  const losses = await compute(graph, toLineInputs(ids, config));
  // A loss that is not a number is not small.
  const found = new Set([
    ...names.filter(name => !(losses[lossOf(name)]![0]! <= LARGEST_LOSS)),
    ...intoStates(config),
  ]);
  return new Set(
    matrixGroups(config)
      .filter(group => group.some(name => found.has(name)))
      .flat(),
  );
}

/** What tokens write to the states of a delta rule, where an error stays, and is divided by the lengths of short keys. */
function intoStates(config: ModelConfig): string[] {
  return config.mixers.flatMap(({ kind }, layer) =>
    kind === 'delta'
      ? layerModules(config, layer).in.map(module => `${toModulePath({ layer, module })}.weight`)
      : [],
  );
}

/** Σ (a - b)² / Σ b² */
function relativeDifference(graph: GraphBuilder, a: Tensor, b: Tensor): Tensor {
  const difference = subtract(graph, a, b);
  return divide(graph, squaredSum(graph, difference), squaredSum(graph, b));
}

function squaredSum(graph: GraphBuilder, a: Tensor): Tensor {
  return reduce(graph, 'ReduceSum', reduce(graph, 'ReduceSum', multiply(graph, a, a), 1), 0);
}

/** The names in a file, which is created if it is missing. */
export async function keepNames(
  file: string,
  find: () => Promise<ReadonlySet<string>>,
): Promise<ReadonlySet<string>> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text !== null) return new Set(text.split('\n').filter(name => name !== ''));
  const names = await find();
  await replaceFile(file, [...names].map(name => `${name}\n`).join(''));
  return names;
}

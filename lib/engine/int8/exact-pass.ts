// Computes a line of tokens in float32, one layer at a time, so that it needs no more memory than the largest layer, and
// watches what goes into each matrix.
import {
  add,
  type Graph,
  type GraphBuilder,
  multiply,
  reduce,
  subtract,
  type Tensor,
} from '../graph/index.js';
import {
  buildHeadGraph,
  buildLayersGraph,
  type ModelSource,
  matrixGroups,
  STREAM,
  toLineInputs,
  toStreamInput,
  type WeightSource,
} from '../model/index.js';

type Values = Float32Array | BigInt64Array;
type GraphInputs = Readonly<Record<string, Values | { values: Values; shape: readonly number[] }>>;

/** Runs a graph once and returns its outputs. */
export type Compute = (graph: Graph, inputs: GraphInputs) => Promise<Record<string, Float32Array>>;

/** What went into matrices that share it. */
export interface Watched {
  names: readonly string[];
  /** [tokens, channels] */
  inputs: Float32Array;
  /** The squared length of what they computed of each token. */
  energies: Float32Array;
}

/** Returns the logits of each token. */
export async function computeExactly(
  model: ModelSource,
  ids: readonly number[],
  compute: Compute,
  watch: (watched: Watched) => Promise<void> = async () => {},
): Promise<Float32Array> {
  const { config } = model;
  const line = toLineInputs(ids, config);
  const source = watching(model);
  const report = async (outputs: Record<string, Float32Array>) => {
    for (const names of matrixGroups(config)) {
      const [inputs, energies] = [outputs[inputName(names[0]!)], outputs[energyName(names[0]!)]];
      if (inputs && energies) await watch({ names, inputs, energies });
    }
  };
  let stream: GraphInputs = {};
  for (let from = 0; from < config.layers; from++) {
    const graph = buildLayersGraph(config, source, ids.length, { from, to: from + 1 });
    const outputs = await compute(graph, { ...line, ...stream });
    await report(outputs);
    stream = toStreamInput(outputs[STREAM]!);
  }
  const outputs = await compute(buildHeadGraph(config, source), stream);
  await report(outputs);
  return outputs.logits!;
}

const inputName = (name: string) => `input.${name}`;
const energyName = (name: string) => `energy.${name}`;

/** The same weights, whose products are outputs of the graph. */
function watching({ config, weights: stored }: ModelSource): WeightSource {
  const groupOf = new Map(matrixGroups(config).flatMap(names => names.map(name => [name, names] as const)));
  return graph => {
    const weights = stored(graph);
    const energies = new Map<string, Tensor>();
    const watch = (name: string, x: Tensor, product: Tensor) => {
      const [first, ...others] = groupOf.get(name)!;
      const squares = reduce(graph, 'ReduceSum', multiply(graph, product, product), 1);
      const before = energies.get(first!);
      const sum = before ? add(graph, before, squares) : squares;
      energies.set(first!, sum);
      if (name === first) graph.output(inputName(name), x);
      if (name === (others.at(-1) ?? first)) graph.output(energyName(first!), sum);
      return product;
    };
    const multiplied = (name: string, product: (graph: GraphBuilder, x: Tensor) => Tensor) => ({
      multiply: (graph: GraphBuilder, x: Tensor) => watch(name, x, product(graph, x)),
    });
    return {
      ...weights,
      matrix(name) {
        const matrix = weights.matrix(name);
        return {
          ...matrix,
          ...multiplied(name, matrix.multiply),
          multiplyInto(graph, x, addend) {
            const sum = matrix.multiplyInto(graph, x, addend);
            watch(name, x, subtract(graph, sum, addend));
            return sum;
          },
        };
      },
      table: name => ({ ...weights.table(name), ...multiplied(name, weights.table(name).multiply) }),
    };
  };
}

// Compares every operator of the graphs, as it occurs in miniatures of them, with the CPU. The miniatures run on the CPU with
// all of their tensors as results; then each kind of node is computed alone on the GPU, from the same values.
import { type Dimension, type Graph, type GraphNode, sizeOf, type Tensor } from '../../graph/index.js';
import {
  buildDecodingGraph,
  buildTrainingGraph,
  type LoraShape,
  MODULES,
  type ModelConfig,
} from '../../model/index.js';
import { createRandom } from '../../random.js';
import { createSession, type Inputs, type SessionOptions } from '../../runtime/index.js';
import { type BuildGraph, compare, createTrial, isRounding, noise, type Trial } from '../provider-check.js';
import { createRandomModel, TINY_MODELS } from './random-model.js';

const LORA: LoraShape = { rank: 4, scaling: 2, modules: MODULES };
const DPO = { beta: 0.1, smoothing: 0 };
const GRPO = { beta: 0.1, epsilon: 0.2 };
const SEED = 13;

/** One kind of node: an operator with its settings, and the types and ranks of its inputs. */
interface OperatorCase {
  name: string;
  graph: Graph;
  feeds: Inputs;
  right: Readonly<Record<string, Values>>;
}

type Values = Awaited<ReturnType<Awaited<ReturnType<typeof createSession>>['run']>>[string];

export interface OperatorFinding {
  name: string;
  /** How many kinds of its nodes were compared. */
  cases: number;
  /** The largest difference, relative to the largest value of a result; null if it cannot be computed. */
  difference: number | null;
  /** Whether it is no more than rounding. */
  isRight: boolean;
  /** Why it cannot be computed. */
  error?: string;
}

/** Calls `tell` with each operator before it is tried. */
export async function compareOperators(
  compute: Pick<SessionOptions, 'provider'>,
  tell: (name: string) => Promise<void>,
): Promise<OperatorFinding[]> {
  const cases = new Map<string, OperatorCase>();
  for (const trial of createTrials())
    for (const [key, found] of await listCases(trial)) cases.set(key, found);
  const findings = new Map<string, OperatorFinding>();
  for (const found of [...cases.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const known = findings.get(found.name);
    if (!known) await tell(found.name);
    findings.set(found.name, join(known, await tryCase(found, compute)));
  }
  return [...findings.values()];
}

function join(known: OperatorFinding | undefined, found: OperatorFinding): OperatorFinding {
  if (!known) return found;
  const isWorse = found.difference === null || found.difference > (known.difference ?? Infinity);
  return { ...(isWorse ? found : known), cases: known.cases + 1 };
}

async function tryCase(
  { name, graph, feeds, right }: OperatorCase,
  compute: Pick<SessionOptions, 'provider'>,
): Promise<OperatorFinding> {
  try {
    const session = await createSession(graph, compute);
    const found = await session.run(feeds).finally(session.close);
    const differences = Object.entries(right).map(([of, values]) => differ(values, found[of]));
    const difference = Math.max(0, ...differences);
    return { name, cases: 1, difference, isRight: isRounding(difference) };
  } catch (error) {
    return { name, cases: 1, difference: null, isRight: false, error: (error as Error).message };
  }
}

function differ(right: Values, found: Values | undefined): number {
  return compare(Float32Array.from(right, Number), found && Float32Array.from(found, Number));
}

function* createTrials(): Generator<Trial> {
  for (const [i, config] of TINY_MODELS.entries()) {
    const goal = i === 0 ? { compares: DPO } : i === 1 ? { rewards: GRPO } : {};
    const build: BuildGraph = (of, from, size) =>
      buildTrainingGraph(of, from, LORA, size, { dropout: 0.1, ...goal });
    yield createTrial(build, config);
    for (const adapters of [false, true]) yield createDecodingTrial(config, adapters);
  }
}

const CONTEXT = 64;
/** The lengths of a step's dynamic axes. */
const LENGTHS = { batch: 2, tokens: 3, past: 5, rows: 2, draws: 2, stateRows: 2, rank: 4 };

function createDecodingTrial(config: ModelConfig, adapters: boolean): Trial {
  const graph = buildDecodingGraph(config, createRandomModel(config).weights, { adapters, context: CONTEXT });
  const random = createRandom(SEED);
  const integers: Readonly<Record<string, (i: number) => number>> = {
    ids: i => i % config.vocabulary,
    positions: i => LENGTHS.past + (i % LENGTHS.tokens),
    at: i => i,
    drawnAt: i => i,
    statesAt: i => i,
    lengths: i => [LENGTHS.past, LENGTHS.tokens][i]!,
  };
  const lengths = { ...LENGTHS, group: config.heads / config.kvHeads };
  const feeds = graph.inputs.map(({ name, dtype, shape: named }) => {
    const shape = named.map(length => evaluate(length, lengths));
    const values =
      dtype === 'int64'
        ? BigInt64Array.from({ length: sizeOf(shape) }, (_, i) => BigInt(integers[name]!(i)))
        : noise(shape, random);
    return [name, { values, shape }] as const;
  });
  return { graph, feeds: Object.fromEntries(feeds) };
}

/** `2*rank`: 8 */
function evaluate(length: Dimension, lengths: Readonly<Record<string, number>>): number {
  if (typeof length === 'number') return length;
  return length.split('*').reduce((product, part) => product * (lengths[part] ?? Number(part)), 1);
}

const SHAPE = 'shape.';

/** By kind. */
async function listCases({ graph, feeds }: Trial): Promise<Map<string, OperatorCase>> {
  const tensors = new Map<string, Tensor>([
    ...[...graph.inputs, ...graph.outputs].map(tensor => [tensor.name, tensor] as const),
    ...(graph.computed ?? []),
  ]);
  const constants = new Map(graph.constants.map(constant => [constant.tensor.name, constant]));
  const values = await runWhole(graph, feeds, [...tensors.values()]);
  const cases = new Map<string, OperatorCase>();
  const shapeNodes = new Map(
    graph.nodes.flatMap(node => (node.op === 'Shape' ? [[node.outputs[0]!, node] as const] : [])),
  );
  for (const node of graph.nodes) {
    if (node.op === 'Identity') continue;
    const typeOf = (name: string) => constants.get(name)?.tensor ?? tensors.get(name)!;
    const key = kindOf(node, node.inputs.filter(Boolean).map(typeOf));
    if (cases.has(key)) continue;
    // A shape stays with the node that uses it, since a provider may replace both.
    const nodes = [...node.inputs.flatMap(name => shapeNodes.get(name) ?? []), node];
    const computed = new Set(nodes.flatMap(({ outputs }) => outputs));
    const inputs = [...new Set(nodes.flatMap(({ inputs }) => inputs))].filter(
      name => name && !computed.has(name),
    );
    const fixed = (name: string) => ({ ...tensors.get(name)!, shape: values.shapes.get(name)! });
    const fed = inputs.filter(name => !constants.has(name));
    const outputs = node.outputs.filter(Boolean).map(fixed);
    cases.set(key, {
      name: node.op,
      graph: {
        nodes,
        inputs: fed.map(fixed),
        constants: inputs.flatMap(name => constants.get(name) ?? []),
        outputs,
        computed: new Map(outputs.map(output => [output.name, output])),
      },
      feeds: Object.fromEntries(fed.map(name => [name, values.of[name]!])),
      right: Object.fromEntries(outputs.map(({ name }) => [name, values.of[name]!])),
    });
  }
  return cases;
}

function kindOf({ op, attributes }: GraphNode, inputs: readonly Tensor[]): string {
  return JSON.stringify([op, attributes, inputs.map(({ dtype, shape }) => [dtype, shape.length])]);
}

/** The values and shapes of all tensors. */
async function runWhole(graph: Graph, feeds: Inputs, tensors: readonly Tensor[]) {
  const shapes = tensors.map(({ name, shape }) => ({
    node: { op: 'Shape', domain: '', inputs: [name], outputs: [`${SHAPE}${name}`], attributes: {} },
    output: { name: `${SHAPE}${name}`, dtype: 'int64' as const, shape: [shape.length] },
  }));
  const computed = tensors.filter(({ name }) => !graph.inputs.some(input => input.name === name));
  const session = await createSession({
    ...graph,
    nodes: [...graph.nodes, ...shapes.map(({ node }) => node)],
    outputs: [...computed, ...shapes.map(({ output }) => output)],
  });
  const found = await session.run(feeds).finally(session.close);
  const given = Object.entries(feeds).map(([name, value]) => [name, 'shape' in value ? value.values : value]);
  return {
    of: { ...found, ...Object.fromEntries(given) } as Record<string, Values>,
    shapes: new Map(tensors.map(({ name }) => [name, Array.from(found[`${SHAPE}${name}`]!, Number)])),
  };
}

// What a graph trains, as its inputs: a tensor each, or all in one. A GPU takes one tensor far faster than hundreds, and
// keeps it between steps together with the sum of the gradients.
import {
  add,
  concat,
  type GraphBuilder,
  reshape,
  sizeOf,
  split,
  type Tape,
  type Tensor,
} from '../graph/index.js';

export interface NamedShape {
  name: string;
  shape: readonly number[];
}

export type ParameterForm = 'each' | 'flat';

/** The inputs and the output of the flat form, float32 [size]: all parameters, one after another, and their gradients. */
export const [PARAMETERS, GRADIENTS_BEFORE, GRADIENTS] = ['parameters', 'gradientsBefore', 'gradients'];

/** A parameter's gradient in the form with a tensor each. */
export const gradientOf = (name: string) => `gradient.${name}`;

/** Adds the inputs, as something that is trained. */
export function parameterInputs(
  tape: Tape,
  parameters: readonly NamedShape[],
  form: ParameterForm,
): ReadonlyMap<string, Tensor> {
  const { graph } = tape;
  const tensors =
    form === 'each'
      ? parameters.map(({ name, shape }) => graph.input(name, 'float32', shape))
      : splitAll(graph, graph.input(PARAMETERS, 'float32', [sizeOfAll(parameters)]), parameters);
  return new Map(parameters.map(({ name }, i) => [name, tape.watch(tensors[i]!)]));
}

/** Adds the outputs: the gradients of a pass, or in the flat form their sum with those before. */
export function gradientOutputs(
  tape: Tape,
  loss: Tensor,
  inputs: ReadonlyMap<string, Tensor>,
  form: ParameterForm,
): void {
  const { graph } = tape;
  const found = tape.gradients(loss);
  const gradients = [...inputs].map(([name, tensor]) => ({ name, gradient: found.get(tensor.name)! }));
  if (form === 'each') {
    for (const { name, gradient } of gradients) graph.output(gradientOf(name), gradient);
    return;
  }
  const joined = joinAll(
    graph,
    gradients.map(({ gradient }) => reshape(graph, gradient, [sizeOf(gradient.shape as readonly number[])])),
  );
  graph.output(GRADIENTS, add(graph, graph.input(GRADIENTS_BEFORE, 'float32', joined.shape), joined));
}

/** How many tensors a kernel of a GPU can take or give at once. */
const MOST_PARTS = 6;

function splitAll(graph: GraphBuilder, flat: Tensor, parts: readonly NamedShape[]): Tensor[] {
  if (parts.length === 1) return [reshape(graph, flat, parts[0]!.shape)];
  const groups = grouped(parts, Math.max(1, Math.ceil(parts.length / MOST_PARTS)));
  return split(graph, flat, 0, groups.map(sizeOfAll)).flatMap((piece, i) =>
    splitAll(graph, piece, groups[i]!),
  );
}

/** Along the first axis. */
export function joinAll(graph: GraphBuilder, parts: readonly Tensor[]): Tensor {
  if (parts.length === 1) return parts[0]!;
  return joinAll(
    graph,
    grouped(parts, MOST_PARTS).map(group => concat(graph, group, 0)),
  );
}

function grouped<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

const sizeOfAll = (parts: readonly NamedShape[]) => parts.reduce((sum, { shape }) => sum + sizeOf(shape), 0);

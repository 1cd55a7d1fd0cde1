// Steps on a GPU: parameters, gradients and moments stay there, and only losses and the norm come back.
import { copyGraph, copyName, type GraphBuilder } from '../../graph/index.js';
import {
  GRADIENTS,
  GRADIENTS_BEFORE,
  type NamedShape,
  PARAMETERS,
  type TrainingGraph,
} from '../../model/index.js';
import { createSession, DeviceError, type Inputs, type Kept, type Session } from '../../runtime/index.js';
import {
  buildAdamWGraph,
  type Learned,
  MEAN,
  MEAN_AFTER,
  NORM,
  PARAMETERS_AFTER,
  SQUARE,
  SQUARE_AFTER,
  toAdamWInputs,
} from '../adam-w.js';
import type { Compute } from '../provider-check.js';
import type { StepRunner } from '../runners.js';

/** What computes and changes the parameters, wherever they are. */
export interface Learner extends Pick<StepRunner, 'update' | 'pull' | 'close'> {
  /** Adds the gradients of a pass. */
  run(...inputs: Inputs[]): Promise<Record<string, Float32Array>>;
}

/** For a graph in the flat form. */
export async function runOnDevice(
  { graph }: TrainingGraph<NamedShape>,
  learned: Learned,
  compute: Compute,
): Promise<Learner> {
  const opened: Session[] = [];
  try {
    return await openLearner(graph, learned, async (of, keeps) => {
      const session = await createSession(of, { ...compute, keeps });
      opened.push(session);
      return session;
    });
  } catch (error) {
    // The weights of a half-opened learner would stay on the device.
    for (const session of opened) await session.close().catch(() => {});
    throw error;
  }
}

type Open = (graph: GraphBuilder, keeps: string[]) => Promise<Session>;

async function openLearner(graph: GraphBuilder, { state, optimizer }: Learned, open: Open): Promise<Learner> {
  const size = state.values.length;
  const passes = await open(graph, [GRADIENTS]);
  const steps = await open(buildAdamWGraph(size), [PARAMETERS_AFTER, MEAN_AFTER, SQUARE_AFTER]);
  const copies = copyGraph([{ name: VALUES, shape: [size] }]);
  const [up, down] = [await open(copies, [COPY]), await open(copies, [])];
  const upload = async (values: Float32Array) => (await up.runAndKeep({ [VALUES]: values })).kept[COPY]!;
  const held = {
    parameters: await upload(state.values),
    mean: await upload(optimizer.mean),
    square: await upload(optimizer.square),
  };
  const none = await upload(new Float32Array(size));
  let gradients = none;
  const sumUp = (next: Kept) => {
    if (gradients !== none) gradients.dispose();
    gradients = next;
  };
  return {
    async run(...inputs) {
      const before = { [PARAMETERS]: held.parameters, [GRADIENTS_BEFORE]: gradients };
      const { values, kept } = await passes.runAndKeep(...inputs, before);
      sumUp(kept[GRADIENTS]!);
      return values;
    },
    async update(change) {
      const { parameters, mean, square } = held;
      const before = { [PARAMETERS]: parameters, [MEAN]: mean, [SQUARE]: square, [GRADIENTS]: gradients };
      const { values, kept } = await steps.runAndKeep(before, toAdamWInputs(optimizer, change));
      for (const old of [parameters, mean, square]) old.dispose();
      held.parameters = kept[PARAMETERS_AFTER]!;
      held.mean = kept[MEAN_AFTER]!;
      held.square = kept[SQUARE_AFTER]!;
      sumUp(none);
      return values[NORM]![0]!;
    },
    async pull() {
      const [values, mean, square] = [
        await download(down, held.parameters),
        await download(down, held.mean),
        await download(down, held.square),
      ];
      state.values.set(values);
      optimizer.mean.set(mean);
      optimizer.square.set(square);
    },
    async close() {
      try {
        sumUp(none);
        for (const tensor of [none, ...Object.values(held)]) tensor.dispose();
        for (const session of [passes, steps, up, down]) await session.close();
      } catch (cause) {
        // Of a device that was lost; the run then continues on the CPU.
        throw new DeviceError(`The GPU failed: ${(cause as Error).message}`, { cause });
      }
    },
  };
}

const VALUES = 'values';
const COPY = copyName(VALUES);

/** Throws unless all is finite: a step went wrong on the device, and must not be saved. */
async function download(session: Session, tensor: Kept): Promise<Float32Array> {
  const values = (await session.run({ [VALUES]: tensor }))[COPY]!;
  if (values.every(Number.isFinite)) return values;
  throw new DeviceError('The GPU computed values that are not finite numbers.');
}

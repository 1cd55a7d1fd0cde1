// Tries the GPU of this machine: whether it computes what the CPU does, and how fast and large. Each finding is sent at once,
// since a driver may crash or hang at any of them.
import { GraphBuilder, multiply } from '../graph/index.js';
import { openModel } from '../model/index.js';
import type { FromWorker, ProbeTask } from '../process/messages.js';
import { createSession } from '../runtime/index.js';
import {
  compareOperators,
  compareTraining,
  createRandomModel,
  findLargestBuffer,
  isRounding,
  measureSpeed,
  type OperatorFinding,
  USUAL_MODEL,
} from '../train/index.js';

const GPU = { provider: 'webgpu' } as const;

type Send = (message: FromWorker) => Promise<void>;

/** Sends why the GPU cannot be used, if so, last. */
export async function runProbe(task: ProbeTask, send: Send): Promise<void> {
  const problem = await probe(task, send).catch((error: Error) => error.message);
  await send({ type: 'probed', problem });
}

async function probe({ modelFolder, weights, measures }: ProbeTask, send: Send): Promise<string | null> {
  const begin = (what: string) => send({ type: 'probing', what });
  const found = (findings: Extract<FromWorker, { type: 'found' }>['findings']) =>
    send({ type: 'found', findings });
  await begin('opening it');
  await openGpu();
  const operators = await compareOperators(GPU, begin);
  await found({ operators });
  const wrong = operators.find(({ difference }) => difference === null || !isRounding(difference));
  if (wrong) return describeWrong(wrong);
  await begin('training');
  const training = await compareTraining('webgpu');
  await found({ training });
  if (!isRounding(training)) return 'The GPU trains differently from the CPU.';
  if (!measures) return null;
  for (const [name, model, form] of [
    ['usual', createRandomModel(USUAL_MODEL), 'f32'],
    ['own', await openModel(modelFolder), weights],
  ] as const) {
    await begin('measuring its speed');
    const gpu = await measureSpeed(model, 'webgpu');
    await found({ [name]: { gpu, cpu: await measureSpeed(model, 'cpu', form) } });
  }
  await begin('large buffers');
  await findLargestBuffer(GPU, Number.POSITIVE_INFINITY, largestBuffer => found({ largestBuffer }));
  return null;
}

/** Throws the reason if there is none. */
async function openGpu(): Promise<void> {
  const graph = new GraphBuilder();
  const a = graph.input('a', 'float32', [1]);
  graph.output('square', multiply(graph, a, a));
  await (await createSession(graph, GPU)).close();
}

function describeWrong({ name, error }: OperatorFinding): string {
  return error === undefined
    ? `The GPU computes ${name} differently from the CPU.`
    : `The GPU cannot compute ${name}: ${error}`;
}

// Tries the GPU of this machine: whether it computes what the CPU does, and how fast and large. Each finding is sent at once,
// since a driver may crash or hang at any of them.
import { GraphBuilder, multiply } from '../graph/index.js';
import { type ModelSource, openModel } from '../model/index.js';
import type { FromWorker, HalfFinding, ProbeTask, SpeedFinding } from '../process/messages.js';
import { createSession, type Session } from '../runtime/index.js';
import {
  compareAnswers,
  compareOperators,
  compareTraining,
  createRandomModel,
  decideWeights,
  findLargestBuffer,
  measureAnswers,
  measureSpeed,
  type OperatorFinding,
  USUAL_MODEL,
} from '../train/index.js';

const GPU = { provider: 'webgpu' } as const;

type Send = (message: FromWorker) => Promise<void>;

/** Sends whether the GPU can be used as soon as that is known; what fails after that matters to chats at most. */
export async function runProbe(task: ProbeTask, send: Send): Promise<void> {
  const opening = openModel(task.modelFolder);
  const problem = await opening
    .then(model => probe(model, task, send))
    .catch((error: Error) => error.message);
  await send({ type: 'probed', problem });
  // What could not be measured is missing in the findings.
  if (problem === null && task.measures !== 'nothing')
    await measureAnswering(await opening, task, send).catch(() => {});
  if (problem === null && task.measures === 'all') await measureMore(task, send).catch(() => {});
}

async function probe(
  model: ModelSource,
  { weights, measures }: ProbeTask,
  send: Send,
): Promise<string | null> {
  await send({ type: 'probing', what: 'opening it' });
  const gpu = await openGpu();
  const wrong = await compareWithCpu(model, weights, send).finally(gpu.close);
  if (wrong !== null || measures === 'nothing') return wrong;
  await send({ type: 'probing', what: 'measuring its speed' });
  const own = await compareSpeeds(model, weights);
  await send({ type: 'found', findings: { own } });
  return null;
}

/** What is wrong, if anything. */
async function compareWithCpu(
  model: ModelSource,
  weights: ProbeTask['weights'],
  send: Send,
): Promise<string | null> {
  const operators = await compareOperators(GPU, what => send({ type: 'probing', what }));
  await send({ type: 'found', findings: { operators } });
  const wrong = operators.find(({ isRight }) => !isRight);
  if (wrong) return describeWrong(wrong);
  await send({ type: 'probing', what: 'training' });
  const training = await compareTraining('webgpu');
  await send({ type: 'found', findings: { training } });
  if (!training.isRight) return 'The GPU trains differently from the CPU.';
  if (weights === 'f16') {
    await send({ type: 'probing', what: 'training with weights in f16' });
    const half = await compareHalf(send);
    if (!half.isRight) return half.error ?? 'The GPU trains differently from the CPU with weights in f16.';
  }
  await send({ type: 'probing', what: 'answering' });
  const answering = await compareAnswers(model.config, 'webgpu', await precisionThere(model, weights));
  await send({ type: 'found', findings: { answering } });
  return null;
}

async function compareHalf(send: Send): Promise<HalfFinding> {
  const half = await compareTraining('webgpu', 'f16').catch(
    (error: Error): HalfFinding => ({ difference: null, isRight: false, error: error.message }),
  );
  await send({ type: 'found', findings: { half } });
  return half;
}

/** For people, who compare machines by it. */
async function measureMore({ weights }: ProbeTask, send: Send): Promise<void> {
  if (weights !== 'f16') await compareHalf(send);
  const usual = await compareSpeeds(createRandomModel(USUAL_MODEL), 'f32');
  await send({ type: 'found', findings: { usual } });
  await findLargestBuffer(GPU, Number.POSITIVE_INFINITY, largestBuffer =>
    send({ type: 'found', findings: { largestBuffer } }),
  );
}

async function compareSpeeds(model: ModelSource, weights: ProbeTask['weights']): Promise<SpeedFinding> {
  const gpu = await measureSpeed(model, 'webgpu', weights === 'f16' ? 'f16' : 'f32');
  return { gpu, cpu: await measureSpeed(model, 'cpu', onCpu(weights)) };
}

/** Of chats on the GPU. */
async function precisionThere(model: ModelSource, weights: ProbeTask['weights']): Promise<'f32' | 'f16'> {
  return (await decideWeights(model, weights, { ...GPU, folder: '' })) === 'f16' ? 'f16' : 'f32';
}

const onCpu = (weights: ProbeTask['weights']) => (weights === 'f16' ? 'auto' : weights);

async function measureAnswering(model: ModelSource, { weights }: ProbeTask, send: Send): Promise<void> {
  const gpu = await measureAnswers(model, 'webgpu', await precisionThere(model, weights));
  const cpu = await measureAnswers(model, 'cpu', onCpu(weights));
  const answers = { one: { gpu: gpu.one, cpu: cpu.one }, many: { gpu: gpu.many, cpu: cpu.many } };
  await send({ type: 'found', findings: { answers } });
}

/** Throws the reason if there is none. While it is open, all sessions share the compiled kernels. */
async function openGpu(): Promise<Session> {
  const graph = new GraphBuilder();
  const a = graph.input('a', 'float32', [1]);
  graph.output('square', multiply(graph, a, a));
  return createSession(graph, GPU);
}

function describeWrong({ name, error }: OperatorFinding): string {
  return error === undefined
    ? `The GPU computes ${name} differently from the CPU.`
    : `The GPU cannot compute ${name}: ${error}`;
}

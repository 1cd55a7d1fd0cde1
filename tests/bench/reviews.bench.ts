// examples/reviews, with the settings of its trainer: how many held-out reviews the model judges right before and after, and
// how long the training takes; and the same with PEFT, where SVC_PYTHON has it. SVC_BENCH_PRECISIONS=float32 leaves out
// bfloat16.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startServing, startTraining, type TrainTask } from '../../lib/engine/index.js';
import { type ChatMessage, type ModelText, openText } from '../../lib/engine/text/index.js';
import { readModelFile } from '../real/packages.js';
import { askServing } from '../support/ask-serving.js';
import { findPython } from '../support/python.js';
import { repositoryRoot } from '../support/repository-root.js';
import { trainOptions } from '../support/train-options.js';
import type { Row } from './table.js';

export const name = 'examples/reviews with SmolLM2 135M: held-out reviews that are judged right';

const EXAMPLE = join(repositoryRoot, 'examples', 'reviews');
const PEER = fileURLToPath(new URL('reviews/peer-peft.py', import.meta.url));
const PRECISIONS = (process.env.SVC_BENCH_PRECISIONS ?? 'float32,bfloat16').split(',');
const MOST_TOKENS = 20;
/** What the example's own trainer says. */
const OPTIONS = {
  loraR: 16,
  loraAlpha: 32,
  numTrainEpochs: 1,
  batchSize: 16,
  learningRate: 5e-4,
  lrSchedulerType: 'cosine',
} as const;

interface Bench {
  modelFolder: string;
  text: ModelText;
  heldOut: readonly ChatMessage[][];
  work: string;
}

export async function run(): Promise<Row[]> {
  await promisify(execFile)(process.execPath, ['fetch.mjs'], { cwd: EXAMPLE });
  const modelFolder = await readModelFile(join(EXAMPLE, 'smollm2.gguf'));
  const work = await mkdtemp(join(tmpdir(), 'svc-reviews-'));
  const heldOut = await readRows('held-out');
  const bench = { modelFolder, text: await openText(modelFolder), heldOut, work };
  try {
    const rows: Row[] = [
      { with: 'before', right: countRight(heldOut, await answerAll(bench, null)) },
      await withSvc(bench),
    ];
    const python = await findPython('torch', 'transformers', 'peft');
    if (python) for (const precision of PRECISIONS) rows.push(await withPeft(bench, python, precision));
    return rows;
  } finally {
    await rm(work, { recursive: true });
  }
}

async function readRows(side: string): Promise<ChatMessage[][]> {
  const text = await readFile(join(EXAMPLE, 'data', `${side}.jsonl`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map(line => (JSON.parse(line) as { messages: ChatMessage[] }).messages);
}

async function withSvc(bench: Bench): Promise<Row> {
  const folder = join(bench.work, 'out');
  const task: TrainTask = {
    jobId: 'reviews',
    request: {
      modelFolder: bench.modelFolder,
      modelName: 'smollm2',
      source: { type: 'file', path: join(EXAMPLE, 'data', 'train.jsonl') },
      trainOn: 'assistant',
      options: trainOptions({ ...OPTIONS, weights: 'auto' }),
      folder,
      cacheFolder: folder,
      roundedFolder: join(bench.work, 'rounded'),
    },
  };
  let weights = '';
  const start = performance.now();
  const training = startTraining(task, event => {
    if (event.type === 'training.started') weights = event.weights ?? '';
    if (event.type === 'training.failed') console.error(event.error);
  });
  const { status } = await training.ended;
  if (status !== 'completed') throw new Error(`The training ${status}.`);
  const minutes = (performance.now() - start) / 60_000;
  const answers = await answerAll(bench, join(folder, 'final'));
  return { with: `svc, ${weights}`, right: countRight(bench.heldOut, answers), minutes };
}

async function withPeft({ modelFolder, text, heldOut, work }: Bench, python: string, precision: string) {
  const rows = (await readRows('train')).map(messages => {
    const { ids, supervised } = text.encodeRow({ messages });
    return { ids: Array.from(ids), supervised };
  });
  const asked = heldOut.map(messages =>
    text.encode(text.renderChat(messages.slice(0, -1), { addGenerationPrompt: true })),
  );
  await writeFile(join(work, 'rows.json'), JSON.stringify(rows));
  await writeFile(join(work, 'asked.json'), JSON.stringify(asked));
  const { numTrainEpochs, batchSize, learningRate, loraR, loraAlpha } = OPTIONS;
  const settings = [numTrainEpochs, batchSize, learningRate, loraR, loraAlpha].map(String);
  const { stdout } = await promisify(execFile)(python, [PEER, modelFolder, work, precision, ...settings]);
  const { seconds, answers } = JSON.parse(stdout) as { seconds: number; answers: number[][] };
  const decoded = answers.map(ids => text.decode(ids));
  return { with: `PEFT, ${precision}`, right: countRight(heldOut, decoded), minutes: seconds / 60 };
}

async function answerAll(
  { modelFolder, heldOut, work }: Bench,
  adapterFolder: string | null,
): Promise<string[]> {
  const limits = { maxBatch: 8, queueLimit: heldOut.length };
  const serving = startServing({
    modelFolder,
    weights: 'auto',
    roundedFolder: join(work, 'rounded'),
    ...limits,
  });
  const ask = async (messages: ChatMessage[]) => {
    const asked = messages.slice(0, -1);
    return (await askServing(serving, { messages: asked, maxTokens: MOST_TOKENS, adapterFolder })).text;
  };
  try {
    return await Promise.all(heldOut.map(ask));
  } finally {
    await serving.close();
  }
}

function countRight(rows: readonly ChatMessage[][], answers: readonly string[]): number {
  const isRight = (messages: ChatMessage[], answer: string) =>
    /positive|negative/i.exec(answer)?.[0].toLowerCase() === messages.at(-1)!.content;
  return rows.filter((messages, i) => isRight(messages, answers[i]!)).length;
}

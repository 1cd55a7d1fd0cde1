// Learning a tone from pairs of answers, as the example does: how many held-out answers are kind, and how many say what they
// should, before, after, and after learning only the chosen answers. SVC_BENCH_SEEDS=1 does less.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isKind, tonePairs } from '../../bundled-model/practice/index.js';
import { BASE_MODEL_NAME, baseModelFolder } from '../../lib/base-model/index.js';
import { startServing, startTraining, type TrainTask } from '../../lib/engine/index.js';
import { askServing } from '../support/ask-serving.js';
import { trainOptions } from '../support/train-options.js';
import type { Row } from './table.js';

export const name = `learning a tone from pairs with ${BASE_MODEL_NAME}: share of held-out answers`;

const SEEDS = Number(process.env.SVC_BENCH_SEEDS ?? 3);
const [PAIRS, HELD_OUT] = [tonePairs('train', 600, 1), tonePairs('held-out', 100, 1)];
/** What the example's own trainer says. */
const OPTIONS = {
  loraR: 16,
  loraAlpha: 32,
  learningRate: 1e-3,
  batchSize: 16,
  lrSchedulerType: 'cosine',
  numTrainEpochs: 4,
  weights: 'auto',
} as const;

type Method = NonNullable<TrainTask['request']['options']['method']>;
const METHODS: Record<string, Method | null> = {
  'dpo, sftWeight 0.5': { type: 'dpo', beta: 0.1, labelSmoothing: 0, sftWeight: 0.5 },
  dpo: { type: 'dpo', beta: 0.1, labelSmoothing: 0, sftWeight: 0 },
  'sft on the chosen answers': null,
};

export async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-tone-'));
  try {
    const rows: Row[] = [{ method: 'before', ...describeAnswers(await answerAll(null, folder)) }];
    for (const [title, method] of Object.entries(METHODS))
      for (let seed = 1; seed <= SEEDS; seed++) rows.push(await tune(title, method, seed, folder));
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function tune(title: string, method: Method | null, seed: number, root: string): Promise<Row> {
  const folder = await mkdtemp(join(root, 'run-'));
  const path = join(folder, 'train.jsonl');
  const rows = method ? PAIRS : PAIRS.map(({ prompt, chosen }) => ({ prompt, completion: chosen }));
  await writeFile(path, rows.map(row => `${JSON.stringify(row)}\n`).join(''));
  const began = performance.now();
  const metrics = await trainOn(path, join(folder, 'out'), trainOptions({ ...OPTIONS, method, seed }), root);
  const seconds = (performance.now() - began) / 1000;
  const answers = await answerAll(join(folder, 'out', 'final'), root);
  return { method: title, seed, ...describeAnswers(answers), ...metrics, seconds };
}

async function trainOn(
  path: string,
  folder: string,
  options: TrainTask['request']['options'],
  root: string,
): Promise<Row> {
  let found: Row = {};
  const task: TrainTask = {
    jobId: 'tone',
    request: {
      modelFolder: baseModelFolder(),
      modelName: BASE_MODEL_NAME,
      source: { type: 'file', path },
      trainOn: 'assistant',
      options,
      folder,
      cacheFolder: folder,
      roundedFolder: join(root, 'rounded'),
    },
  };
  const training = startTraining(task, event => {
    if (event.type === 'training.log') {
      const { rewardMargin, rewardAccuracy } = event;
      found = {
        'last loss': event.loss as number,
        ...(rewardMargin != null && { margin: rewardMargin, accuracy: rewardAccuracy! }),
      };
    }
    if (event.type === 'training.failed') console.error(event.error);
  });
  const { status } = await training.ended;
  if (status !== 'completed') throw new Error(`The training ${status}.`);
  return found;
}

async function answerAll(adapterFolder: string | null, root: string): Promise<string[]> {
  const serving = startServing({
    modelFolder: baseModelFolder(),
    weights: 'auto',
    roundedFolder: join(root, 'rounded'),
    maxBatch: 8,
    queueLimit: HELD_OUT.length,
  });
  const ask = async ({ prompt }: { prompt: string }) => {
    const messages = [{ role: 'user', content: prompt }];
    return (await askServing(serving, { messages, maxTokens: 80, adapterFolder })).text;
  };
  try {
    return await Promise.all(HELD_OUT.map(ask));
  } finally {
    await serving.close();
  }
}

function describeAnswers(answers: readonly string[]): Row {
  if (process.env.SVC_BENCH_SHOW)
    for (const [i, answer] of answers.slice(0, 8).entries())
      console.log(`${HELD_OUT[i]!.prompt}\n  ${answer}`);
  const share = (of: (answer: string, i: number) => boolean) =>
    `${((100 * answers.filter(of).length) / answers.length).toFixed(0)} %`;
  return {
    kind: share(isKind),
    'names the thing': share((answer, i) => answer.includes(thingOf(HELD_OUT[i]!.chosen))),
  };
}

/** All chosen answers name it. */
function thingOf(chosen: string): string {
  return /\b(?:your|the|a) (\w+)/.exec(chosen)![1]!;
}

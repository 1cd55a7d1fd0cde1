// Learning from rewards alone, as examples/rewards does: how many held-out lists are counted right, as JSON, before and after.
// SVC_BENCH_SEEDS=1 does less.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countingPrompts } from '../../bundled-model/practice/index.js';
import { judge } from '../../examples/rewards/src/svc/judge.js';
import { BASE_MODEL_NAME, baseModelFolder } from '../../lib/base-model/index.js';
import type { RewardRequest, RewardResponse } from '../../lib/contract/index.js';
import { startServing, startTraining, type TrainTask } from '../../lib/engine/index.js';
import { askServing } from '../support/ask-serving.js';
import { trainOptions } from '../support/train-options.js';
import type { Row } from './table.js';

export const name = `learning from rewards with ${BASE_MODEL_NAME}: share of held-out lists`;

const SEEDS = Number(process.env.SVC_BENCH_SEEDS ?? 3);
const [PROMPTS, HELD_OUT] = [countingPrompts('train', 600, 1), countingPrompts('held-out', 200, 1)];
/** What the example's own trainer says. */
const OPTIONS = {
  loraR: 16,
  loraAlpha: 32,
  learningRate: 2e-4,
  batchSize: 8,
  lrSchedulerType: 'cosine',
  numTrainEpochs: 4,
  weights: 'auto',
  method: {
    type: 'grpo',
    group: 8,
    updates: 1,
    beta: 0.04,
    epsilon: 0.2,
    temperature: 1,
    maxTokens: 16,
    reward: { type: 'function' },
  },
} as const;

export async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-counting-'));
  try {
    const rows: Row[] = [{ run: 'before', ...(await measure(null, folder)) }];
    for (let seed = 1; seed <= SEEDS; seed++) {
      const began = performance.now();
      const adapter = await train(seed, folder);
      const minutes = (performance.now() - began) / 60_000;
      rows.push({ run: `seed ${seed}`, ...(await measure(adapter, folder)), minutes });
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The folder of the final adapter. */
async function train(seed: number, root: string): Promise<string> {
  const path = join(root, 'train.jsonl');
  await writeFile(path, PROMPTS.map(row => `${JSON.stringify(row)}\n`).join(''));
  const folder = join(root, `${seed}`);
  const task: TrainTask = {
    jobId: `counting-${seed}`,
    request: {
      modelFolder: baseModelFolder(),
      modelName: BASE_MODEL_NAME,
      source: { type: 'file', path },
      trainOn: 'assistant',
      options: trainOptions({ ...OPTIONS, seed }),
      folder,
      cacheFolder: folder,
      roundedFolder: join(root, 'rounded'),
    },
  };
  const { ended } = startTraining(
    task,
    event => {
      if (event.type === 'training.failed') console.error(event.error);
    },
    { score },
  );
  const { status } = await ended;
  if (status !== 'completed') throw new Error(`The training ${status}.`);
  return join(folder, 'final');
}

async function score({ step, groups }: RewardRequest): Promise<RewardResponse> {
  const rewards = groups.map(({ item, messages, answers }) =>
    answers.map(({ text }) => rewardOf(text, item, { step, messages })),
  );
  return { rewards: await Promise.all(rewards.map(group => Promise.all(group))) };
}

async function rewardOf(text: string, row: object, rest: Partial<Parameters<typeof judge>[1]>) {
  const context = {
    row,
    toolCalls: [],
    signal: new AbortController().signal,
    messages: [],
    step: 0,
    ...rest,
  };
  const given = await judge(text, context);
  return typeof given === 'number' ? { reward: given } : given;
}

/** Of the likeliest answers: those in the right form, and those that are right. */
async function measure(adapterFolder: string | null, root: string): Promise<Row> {
  const serving = startServing({
    modelFolder: baseModelFolder(),
    weights: 'auto',
    roundedFolder: join(root, 'rounded'),
    maxBatch: 8,
    queueLimit: HELD_OUT.length,
  });
  try {
    const judged = await Promise.all(
      HELD_OUT.map(async row => {
        const messages = row.messages.map(turn => ({ ...turn }));
        const { text } = await askServing(serving, { messages, maxTokens: 16, adapterFolder });
        return (await rewardOf(text, row, {})).parts;
      }),
    );
    const share = (part: string) =>
      `${((100 * judged.reduce((sum, parts) => sum + (parts?.[part] ?? 0), 0)) / judged.length).toFixed(1)} %`;
    return { 'right form': share('form'), 'right count': share('right') };
  } finally {
    await serving.close();
  }
}

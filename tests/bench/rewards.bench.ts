// A step that learns from rewards: the seconds of its three parts, for real, with the bundled model. Beside its sampling stands how
// fast the same model decodes as many texts at once, in turns with it. That is measured while all of them run, so it is compared with
// answers that do not end by themselves, too. SVC_BENCH_STEPS=4 and SVC_BENCH_ROUNDS=1 do less.
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BASE_MODEL_NAME, baseModelFolder } from '../../lib/base-model/index.js';
import type { RewardResponse, StepLogged } from '../../lib/contract/index.js';
import { withServingMemory } from '../../lib/engine/environment.js';
import { startTraining } from '../../lib/engine/index.js';
import { openText } from '../../lib/engine/text/index.js';
import { copyWithoutTokens } from '../support/changed-models.js';
import { trainOptions } from '../support/train-options.js';
import { startMeasured, tsx } from './engine/turns.js';
import { median } from './median.js';
import type { Row } from './table.js';

const GROUP = 8;
export const name = `${BASE_MODEL_NAME} learns from rewards, ${GROUP} answers to a prompt: seconds of a step, and tokens a second`;

const STEPS = Number(process.env.SVC_BENCH_STEPS ?? 10);
/** Not counted: sessions are made, and the first graphs run. */
const FIRST = 2;
const BATCHES = [4, 8];
const ROUNDS = Number(process.env.SVC_BENCH_ROUNDS ?? 3);
const TOKENS = 96;
const WEIGHTS = ['f32', 'int8'] as const;

const folder = await mkdtemp(join(tmpdir(), 'svc-rewards-'));
process.once('exit', () => rmSync(folder, { recursive: true }));
const endless = join(folder, 'model');
const script = fileURLToPath(new URL('engine/decode-batch.ts', import.meta.url));

export async function run(): Promise<Row[]> {
  await copyWithoutTokens(baseModelFolder(), endless, (await openText(baseModelFolder())).endIds);
  const path = join(folder, 'prompts.jsonl');
  await writeFile(path, Array.from({ length: 64 }, (_, i) => `${JSON.stringify(promptOf(i))}\n`).join(''));
  const rows: Row[] = [];
  for (const weights of WEIGHTS)
    for (const batchSize of BATCHES)
      rows.push(
        await compare(path, { weights, batchSize, modelFolder: baseModelFolder() }),
        await compare(path, { weights, batchSize, modelFolder: endless }),
      );
  return rows;
}

const PLACES = ['a harbor', 'a mountain village', 'an old library', 'a train at night'];
const promptOf = (i: number) => ({
  messages: [
    { role: 'user', content: `Write a long story about ${PLACES[i % PLACES.length]} in chapter ${i}.` },
  ],
});

interface Case {
  weights: (typeof WEIGHTS)[number];
  batchSize: number;
  modelFolder: string;
}

async function compare(path: string, given: Case): Promise<Row> {
  const { weights, batchSize: batch, modelFolder } = given;
  const args = ['--import', tsx, script, folder, weights, `${batch * GROUP}`, `${TOKENS}`];
  const decoder = await startMeasured<object, { speed: number }>(process.execPath, args, {
    env: withServingMemory(process.env),
  });
  const [speeds, steps]: [number[], StepLogged[]] = [[], []];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      speeds.push((await decoder.next()).speed);
      steps.push(...(await train(path, `${weights}-${batch}-${basename(modelFolder)}-${round}`, given)));
    }
  } finally {
    await decoder.close();
  }
  const of = (read: (step: StepLogged) => number) => median(steps.map(read));
  const rollout = of(step => (step.answerTokens! * batch * GROUP) / step.rolloutSeconds!);
  const decoding = median(speeds);
  return {
    weights,
    'answers end': modelFolder === endless ? 'no' : 'yes',
    prompts: batch,
    answers: batch * GROUP,
    'step s': of(step => step.rolloutSeconds! + step.rewardSeconds! + step.trainingSeconds!),
    'rollout s': of(step => step.rolloutSeconds!),
    'reward s': of(step => step.rewardSeconds!),
    'training s': of(step => step.trainingSeconds!),
    'tokens an answer': of(step => step.answerTokens!),
    'rollout tokens/s': Math.round(rollout),
    'decoding tokens/s': Math.round(decoding),
    'times decoding': (rollout / decoding).toFixed(2),
  };
}

/** The steps that count. Longer answers get more, as any function would see it. */
async function train(path: string, run: string, { modelFolder, ...own }: Case): Promise<StepLogged[]> {
  const steps: StepLogged[] = [];
  const options = trainOptions({
    ...{ ...own, maxSteps: STEPS, maxLength: 256, learningRate: 1e-4, loraR: 16, loraAlpha: 32 },
    method: {
      type: 'grpo',
      reward: { type: 'string_check', name: 'any', input: '', reference: '', operation: 'eq' },
      ...{ group: GROUP, updates: 1, beta: 0.04, epsilon: 0.2, temperature: 1, maxTokens: TOKENS },
    },
  });
  const { ended } = startTraining(
    {
      jobId: run,
      request: {
        ...{ modelFolder, modelName: BASE_MODEL_NAME, source: { type: 'file', path } },
        ...{ trainOn: 'assistant', options, folder: join(folder, run), cacheFolder: folder },
      },
    },
    event => {
      if (event.type === 'training.failed') console.error(event.error);
      if (event.type === 'training.log' && event.step > FIRST) steps.push(event);
    },
    {
      score: async ({ groups }): Promise<RewardResponse> => ({
        rewards: groups.map(({ answers }) => answers.map(({ text }) => ({ reward: text.length }))),
      }),
    },
  );
  const { status } = await ended;
  if (status !== 'completed') throw new Error(`The training ${status}.`);
  return steps;
}

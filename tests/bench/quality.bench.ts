// What rounding costs learning: the losses of the example data sets after 120 steps in int8 and in float32, over three
// seeds, for the base model as it is and with outliers injected. SVC_BENCH_SEEDS=1 and SVC_BENCH_SETS=triage do less.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRACTICE_NAMES, practiceRows } from '../../bundled-model/practice/index.js';
import { baseModelFolder } from '../../lib/base-model/index.js';
import type { WeightPrecision } from '../../lib/engine/int8/index.js';
import { prepareTraining, train } from '../../lib/engine/train/index.js';
import { copyWithOutliers } from '../support/changed-models.js';
import { trainOptions } from '../support/train-options.js';
import type { Row } from './table.js';

export const name = 'losses after 120 steps, int8 against float32';

const [TRAINING_ROWS, HELD_OUT_ROWS, STEPS] = [600, 100, 120];
const SEEDS = Number(process.env.SVC_BENCH_SEEDS ?? 3);
const SETS = PRACTICE_NAMES.filter(
  dataSet => process.env.SVC_BENCH_SETS?.split(',').includes(dataSet) ?? true,
);

interface Losses {
  training: number;
  evaluation: number;
}

export async function run(): Promise<Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'svc-quality-'));
  try {
    const spiky = join(home, 'spiky');
    await mkdir(spiky);
    await copyWithOutliers(baseModelFolder(), spiky);
    const models = { none: baseModelFolder(), injected: spiky };
    const rows: Row[] = [];
    for (const dataSet of SETS) {
      const files = { train: join(home, 'train.jsonl'), 'held-out': join(home, 'held-out.jsonl') };
      for (const [part, count] of [
        ['train', TRAINING_ROWS],
        ['held-out', HELD_OUT_ROWS],
      ] as const) {
        const lines = practiceRows(dataSet, part, count, 1).map(
          ({ messages }) => `${JSON.stringify({ messages })}\n`,
        );
        await writeFile(files[part], lines.join(''));
      }
      for (const [outliers, modelFolder] of Object.entries(models)) {
        for (let seed = 1; seed <= SEEDS; seed++) {
          const lossesIn = (weights: WeightPrecision) => measure({ home, modelFolder, files, seed, weights });
          const [exact, rounded] = [await lossesIn('f32'), await lossesIn('int8')];
          rows.push({
            'data set': dataSet,
            outliers,
            seed,
            ...compare('training', exact, rounded),
            ...compare('evaluation', exact, rounded),
          });
          console.log(JSON.stringify(rows.at(-1)));
        }
      }
    }
    return rows;
  } finally {
    await rm(home, { recursive: true });
  }
}

function compare(part: keyof Losses, exact: Losses, rounded: Losses): Row {
  return {
    [`${part} f32`]: exact[part],
    [`${part} int8`]: rounded[part],
    [`${part} change`]: `${(100 * (rounded[part] / exact[part] - 1)).toFixed(1)} %`,
  };
}

interface Run {
  home: string;
  modelFolder: string;
  files: { train: string; 'held-out': string };
  seed: number;
  weights: WeightPrecision;
}

async function measure({ home, modelFolder, files, seed, weights }: Run): Promise<Losses> {
  const folder = await mkdtemp(join(home, 'run-'));
  const { job, close } = await prepareTraining({
    modelFolder,
    modelName: 'base',
    source: { type: 'file', path: files.train },
    evaluationSource: { type: 'file', path: files['held-out'] },
    trainOn: 'assistant',
    options: trainOptions({
      loraR: 16,
      loraAlpha: 32,
      learningRate: 2e-3,
      batchSize: 16,
      lrSchedulerType: 'cosine',
      numTrainEpochs: 12,
      maxSteps: STEPS,
      seed,
      weights,
    }),
    folder,
    cacheFolder: folder,
    roundedFolder: join(home, 'rounded'),
  });
  const losses: Losses = { training: Number.NaN, evaluation: Number.NaN };
  const last: number[] = [];
  for await (const event of train(job)) {
    if (event.type !== 'log') continue;
    if (event.loss !== undefined) last.push(event.loss);
    losses.evaluation = event.evalLoss ?? losses.evaluation;
  }
  close();
  // One step's rows are easy or hard by chance.
  const steps = last.slice(-20);
  losses.training = steps.reduce((sum, loss) => sum + loss, 0) / steps.length;
  await rm(folder, { recursive: true });
  return losses;
}

// What rounding costs answers: what the real models of `npm run test:real` expect after each token of 200 texts, in int8 beside
// llama.cpp's q8_0, both against their own floats. And what it costs learning: the losses of 30 steps on the documentation of this
// project. SVC_BENCH_MODELS=smollm2 leaves out the rest; SVC_BENCH_TEXTS=20 takes fewer.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WeightPrecision } from '../../lib/engine/int8/index.js';
import { openModel } from '../../lib/engine/model/index.js';
import { openText } from '../../lib/engine/text/index.js';
import { openWeights } from '../../lib/engine/train/index.js';
import { openRealModel, REAL_MODELS } from '../real/packages.js';
import { compareRounding, readProse } from '../real/rounding.js';
import { trainSteps } from '../real/train-steps.js';
import { type Row, renderTable } from './table.js';

export const name = 'what rounding costs answers, against the same model in float32';

const TEXTS = Number(process.env.SVC_BENCH_TEXTS ?? 200);

export async function run(): Promise<Row[]> {
  const wanted = process.env.SVC_BENCH_MODELS?.split(',') ?? REAL_MODELS.map(model => model.name);
  const rows: Row[] = [];
  const learned: Row[] = [];
  for (const real of REAL_MODELS.filter(model => wanted.includes(model.name))) {
    const folder = await openRealModel(real);
    for (const { precision, texts, cost } of await compareRounding(folder, TEXTS))
      rows.push({
        ...{ model: real.name, precision, texts, 'mean KL': cost.divergence.toPrecision(3) },
        'same top token': `${(100 * cost.agreed).toFixed(1)} %`,
        'perplexity in float32': cost.exactPerplexity,
        perplexity: cost.perplexity,
      });
    learned.push({ model: real.name, ...(await compareLearning(folder)) });
  }
  console.log(`\nlearning\n${renderTable(learned)}`);
  return rows;
}

const STEPS = 30;
const ROWS_PER_STEP = 4;
/** Tokens of a row that is learned. */
const ROW = 96;

/** The mean loss of all steps, in both forms, from the same start and with the same rows. */
async function compareLearning(folder: string): Promise<Row> {
  const work = await mkdtemp(join(tmpdir(), 'svc-rounding-'));
  try {
    const [stored, text] = [await openModel(folder), await openText(folder)];
    const parts = await readProse(text, { size: ROW, count: STEPS * ROWS_PER_STEP });
    const rows = parts.map(ids => ({ ids, learnedFrom: 1 }));
    const training = { rank: 16, alpha: 32, learningRate: 2e-4, rowsPerStep: ROWS_PER_STEP, rows };
    const meanLoss = async (weights: WeightPrecision) => {
      const model = await openWeights(stored, weights, { folder: work, trains: true });
      const { losses } = await trainSteps(
        model,
        { ...training, losses: Array(STEPS).fill(0) },
        join(work, weights),
      );
      return losses.reduce((sum, loss) => sum + loss) / STEPS;
    };
    const [exact, rounded] = [await meanLoss('f32'), await meanLoss('int8')];
    return {
      steps: STEPS,
      'loss in float32': exact,
      'loss in int8': rounded,
      difference: `${(100 * (rounded / exact - 1)).toFixed(2)} %`,
    };
  } finally {
    await rm(work, { recursive: true });
  }
}

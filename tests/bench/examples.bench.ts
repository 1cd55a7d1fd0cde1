// Tuning the base model on the example data sets, for real: exact answers on held-out rows before and after, over three
// seeds, next to a score that ignores the format; and how much of the held-out rows was seen before, which should be
// nothing. SVC_BENCH_SEEDS=1 and SVC_BENCH_SETS=redaction do less; SVC_BENCH_WEIGHTS=f32 or int8 decides what the machine would decide.
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeConversation } from '../../bundled-model/corpus/index.js';
import {
  measureOverlap,
  PRACTICE_NAMES,
  type PracticeName,
  type PracticeRow,
  practiceRows,
  scoreContent,
  scoreExact,
} from '../../bundled-model/practice/index.js';
import { BASE_MODEL_NAME, baseModelFolder } from '../../lib/base-model/index.js';
import { startServing, startTraining, type TrainTask, type WeightSetting } from '../../lib/engine/index.js';
import { askServing } from '../support/ask-serving.js';
import { trainOptions } from '../support/train-options.js';
import { type Row, renderTable } from './table.js';

export const name = `fine-tuning ${BASE_MODEL_NAME} on the example data sets: share of held-out answers that are right`;

const TRAINING_ROWS = 600;
const HELD_OUT_ROWS = 100;
const CORPUS_CONVERSATIONS = 20_000;
const SEEDS = Number(process.env.SVC_BENCH_SEEDS ?? 3);
const SETS = PRACTICE_NAMES.filter(
  dataSet => process.env.SVC_BENCH_SETS?.split(',').includes(dataSet) ?? true,
);
const WEIGHTS = (process.env.SVC_BENCH_WEIGHTS ?? 'auto') as WeightSetting;
const ROUNDED = await mkdtemp(join(tmpdir(), 'svc-rounded-'));
process.once('exit', () => rmSync(ROUNDED, { recursive: true }));
/** What the examples' own trainers say. */
const EPOCHS: Readonly<Record<PracticeName, number>> = { triage: 12, redaction: 18, translate: 12 };
const OPTIONS = {
  loraR: 16,
  loraAlpha: 32,
  loraDropout: 0.1,
  learningRate: 2e-3,
  batchSize: 16,
  lrSchedulerType: 'cosine',
  weights: WEIGHTS,
} as const;

export async function run(): Promise<Row[]> {
  const overlaps: Row[] = [];
  const rows: Row[] = [];
  for (const dataSet of SETS) {
    const train = practiceRows(dataSet, 'train', TRAINING_ROWS, 1);
    const heldOut = practiceRows(dataSet, 'held-out', HELD_OUT_ROWS, 1);
    overlaps.push(describeOverlap(dataSet, train, heldOut));
    const before = await answerAll(heldOut, null);
    for (let seed = 1; seed <= SEEDS; seed++) rows.push(await tune(dataSet, train, heldOut, before, seed));
  }
  console.log(`What held-out rows share with the rows before them\n${renderTable(overlaps)}\n`);
  return rows;
}

async function tune(
  dataSet: PracticeName,
  train: readonly PracticeRow[],
  heldOut: readonly PracticeRow[],
  before: readonly string[],
  seed: number,
): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-examples-'));
  try {
    const file = join(folder, 'train.jsonl');
    await writeFile(file, train.map(({ messages }) => `${JSON.stringify({ messages })}\n`).join(''));
    const began = performance.now();
    const loss = await trainOn(file, join(folder, 'out'), { numTrainEpochs: EPOCHS[dataSet], seed });
    const seconds = (performance.now() - began) / 1000;
    const after = await answerAll(heldOut, join(folder, 'out', 'final'));
    return {
      'data set': dataSet,
      seed,
      'exact before': share(heldOut, before, exact),
      'exact after': share(heldOut, after, exact),
      'content before': share(heldOut, before, content(dataSet)),
      'content after': share(heldOut, after, content(dataSet)),
      'last loss': loss,
      seconds,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function trainOn(
  path: string,
  folder: string,
  own: { numTrainEpochs: number; seed: number },
): Promise<number> {
  const task: TrainTask = {
    jobId: 'example',
    request: {
      modelFolder: baseModelFolder(),
      modelName: BASE_MODEL_NAME,
      source: { type: 'file', path },
      trainOn: 'assistant',
      options: trainOptions({ ...OPTIONS, ...own }),
      folder,
      cacheFolder: folder,
      roundedFolder: ROUNDED,
    },
  };
  let loss = Number.NaN;
  const training = startTraining(task, event => {
    if (event.type === 'training.log') loss = event.loss as number;
    if (event.type === 'training.failed') console.error(event.error);
  });
  const { status } = await training.ended;
  if (status !== 'completed') throw new Error(`The training ${status}.`);
  return loss;
}

async function answerAll(rows: readonly PracticeRow[], adapterFolder: string | null): Promise<string[]> {
  const limits = { maxBatch: 8, queueLimit: rows.length };
  const serving = startServing({
    modelFolder: baseModelFolder(),
    weights: WEIGHTS,
    roundedFolder: ROUNDED,
    ...limits,
  });
  const ask = async ({ messages }: PracticeRow) => {
    const asked = messages.slice(0, -1).map(turn => ({ ...turn }));
    return (await askServing(serving, { messages: asked, maxTokens: 120, adapterFolder })).text;
  };
  try {
    return await Promise.all(rows.map(ask));
  } finally {
    await serving.close();
  }
}

type Score = (row: PracticeRow, answered: string) => number;

const exact: Score = ({ answer }, answered) => scoreExact(answer, answered);
const content =
  (dataSet: PracticeName): Score =>
  ({ asked, answer }, answered) =>
    scoreContent(dataSet, asked, answer, answered);

function share(rows: readonly PracticeRow[], answers: readonly string[], score: Score): string {
  const sum = rows.reduce((total, row, i) => total + score(row, answers[i]!), 0);
  if (process.env.SVC_BENCH_SHOW)
    rows.slice(0, 12).forEach((row, i) => {
      if (score(row, answers[i]!) < 1) console.log(`${row.answer}\n  ${answers[i]}`);
    });
  return `${((100 * sum) / rows.length).toFixed(1)} %`;
}

function describeOverlap(
  dataSet: PracticeName,
  train: readonly PracticeRow[],
  heldOut: readonly PracticeRow[],
): Row {
  const { sharedTemplates, sharedValues, training, corpus } = measureOverlap(train, heldOut, corpusTexts());
  return {
    'data set': dataSet,
    'shared templates': sharedTemplates,
    'shared values': sharedValues,
    'sentences in training': training.sentences,
    'values in training': training.values,
    'longest run of words': training.longestRun,
    'sentences in corpus': corpus.sentences,
    'values in corpus': corpus.values,
    'longest run in corpus': corpus.longestRun,
  };
}

function* corpusTexts(): Generator<string> {
  for (let number = 0; number < CORPUS_CONVERSATIONS; number++)
    for (const { content: text } of makeConversation('train', 20, number).messages) yield text;
}

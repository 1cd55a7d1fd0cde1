// What our own engine does with a request, for the tests of `ray`, which compare the engine of PyTorch with it:
// `tsx tests/ray/reference.ts REQUEST.json`. Writes the rows, the initial adapter and the events next to the request.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRandom, shuffled } from '../../lib/engine/random.js';
import { prepareTraining, type Score, type TrainEvent, train } from '../../lib/engine/train/index.js';
import type { TrainOptions } from '../../lib/engine/train/options.js';
import { type Example, examplesOf, packExamples } from '../../lib/engine/train/packing.js';
import { writeKeepMask } from '../../lib/engine/train/step-runner.js';
import { writeTokens } from '../../lib/engine/train/tokens.js';
import { trainOptions } from '../support/train-options.js';

interface Request {
  modelFolder: string;
  data: string;
  evaluation: string | null;
  folder: string;
  options: Partial<TrainOptions>;
  /** Stops after this step, with a checkpoint. */
  pauseAfter: number | null;
}

const path = process.argv[2]!;
const request = JSON.parse(await readFile(path, 'utf8')) as Request;
const { modelFolder, data, evaluation, folder, options, pauseAfter } = request;
const source = (file: string) => ({ type: 'file', path: file }) as const;
const pause = new AbortController();
const rows = {
  source: source(data),
  ...(evaluation && { evaluationSource: source(evaluation) }),
  modelFolder,
  cacheFolder: join(folder, 'cache'),
  trainOn: 'assistant' as const,
  options: trainOptions(options),
};
const {
  trainingPath: _1,
  evaluationPath: _2,
  initialFolder: _3,
  ...tokens
} = await writeTokens({ ...rows, folder: join(dirname(path), 'scratch'), target: dirname(path) });
/** The share of the letters of an answer that are in the first half of the alphabet. */
const reward = (text: string) => (text.match(/[a-m]/gi)?.length ?? 0) / Math.max(1, text.length);
const score: Score = async ({ groups }) => ({
  rewards: groups.map(({ answers }) => answers.map(({ text }) => ({ reward: reward(text) }))),
});
const { job, close } = await prepareTraining({
  ...rows,
  modelName: 'base',
  folder,
  pause: pause.signal,
  score,
});
const events: TrainEvent[] = [];
try {
  for await (const event of train(job)) {
    events.push(event);
    if (event.type === 'log' && event.step === pauseAfter) pause.abort();
  }
} finally {
  close();
}
const examples = [...examplesOf(job.examples)];
const result = {
  rows: examples.map(toRow),
  tokens,
  options: job.options,
  events,
  random: {
    bits: take(5, createRandom(42, 1, 0).bits),
    negative: take(5, createRandom(-7, 2 ** 40 + 5).bits),
    orders: [0, 1, 2, 1000].map(count => Array.from(shuffled(count, createRandom(42, 1, count)))),
    masks: [0.05, 0.5].map(rate => Array.from(writeKeepMask(new Uint8Array(3000), rate, createRandom(1, 2)))),
  },
  packs: [256, 2048].map(passTokens =>
    packExamples(examples, { passTokens, lineTokens: 2048 }).map(lines =>
      lines.map(line => line.map(example => examples.indexOf(example))),
    ),
  ),
};
await writeFile(join(dirname(path), 'reference.json'), JSON.stringify(result));

function toRow({ ids, supervised }: Example) {
  return { ids: Array.from(ids), learned: Array.from(supervised, Number) };
}

function take(count: number, next: () => number): number[] {
  return Array.from({ length: count }, next);
}

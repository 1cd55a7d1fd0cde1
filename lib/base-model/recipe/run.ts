// `npm run base-model`: makes the base model from nothing. Stopped at any time, it goes on from its last checkpoint.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseModelConfig } from '../../engine/model/index.js';
import { openText } from '../../engine/text/index.js';
import { choosePassShape, exportModel, pretrain } from '../../engine/train/index.js';
import { baseModelFolder } from '../index.js';
import { heldOutRows, rowsOfStep } from './rows.js';
import { CONFIG, LONGEST, SEED, TRAINING } from './settings.js';
import { openTrainingLog } from './training-log.js';
import { writeTextFiles } from './write-text-files.js';

const { values: args } = parseArgs({
  options: {
    work: { type: 'string', default: '.base-model' },
    out: { type: 'string', default: baseModelFolder() },
  },
});

await writeTextFiles(args.out);
const text = await openText(args.out);
const config = parseModelConfig(CONFIG, 'config.json');
const longest = { ids: new Int32Array(LONGEST), supervised: new Uint8Array(LONGEST).fill(1) };
const sample = Array.from({ length: 24 }, (_, step) => rowsOfStep(text, step)).flat();
const log = await openTrainingLog(args.work);
const stop = new AbortController();
process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());

const run = pretrain({
  config,
  totalSteps: TRAINING.totalSteps,
  examplesOf: step => rowsOfStep(text, step),
  dataset: JSON.stringify(TRAINING) + (await readFile(join(args.out, 'tokenizer.json'), 'utf8')),
  shape: choosePassShape([longest, ...sample], TRAINING.rowsPerStep),
  evaluation: heldOutRows(text, TRAINING.evaluationRows),
  options: {
    ...TRAINING,
    schedule: 'cosine',
    maxGradientNorm: 1,
    keepCheckpoints: 2,
    seed: SEED,
    threads: undefined,
    provider: 'cpu',
  },
  folder: args.work,
  pause: stop.signal,
});
for await (const event of run) {
  process.stdout.write(`${JSON.stringify(event)}\n`);
  await log.add(event);
  if (event.type !== 'completed') continue;
  await exportModel(config, event.folder, args.out, 'BF16');
  await log.write(join(args.out, '..', 'training-log.csv'));
  await rm(join(args.work, 'final'), { recursive: true });
}

// `npm run base-model`: trains the base model, from scratch or from the files that earlier cycles left in the folder.
// If stopped, it resumes from its last checkpoint.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { baseModelFolder } from '../../lib/base-model/index.js';
import { TRAINING_DEFAULTS, toRunOptions } from '../../lib/contract/index.js';
import { parseModelConfig } from '../../lib/engine/model/index.js';
import { openText } from '../../lib/engine/text/index.js';
import { exportModel, pretrain } from '../../lib/engine/train/index.js';
import { heldOutRows, rowsOfStep } from './rows.js';
import { CONFIG, CYCLES, SEED, TRAINING } from './settings.js';
import { openTrainingLog } from './training-log.js';
import { writeTextFiles } from './write-text-files.js';

const { values: args } = parseArgs({
  options: {
    work: { type: 'string', default: '.base-model' },
    out: { type: 'string', default: baseModelFolder() },
    /** Default: all cores. */
    threads: { type: 'string' },
  },
});
const config = parseModelConfig(CONFIG, 'config.json');
const stop = new AbortController();
process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
// The log of the bundled model is next to its card. Other models get theirs next to their folder.
const home = args.out === baseModelFolder() ? join(import.meta.dirname, '..') : join(args.out, '..');
const log = await openTrainingLog(join(home, 'training-log.csv'));
if (log.cycles === CYCLES.length) process.stdout.write(`${args.out} has been through all cycles.\n`);
for (let cycle = log.cycles; cycle < CYCLES.length && !stop.signal.aborted; cycle++) await runCycle(cycle);

async function runCycle(cycle: number): Promise<void> {
  if (cycle === 0) await writeTextFiles(args.out);
  const text = await openText(args.out);
  const { longest, ...course } = CYCLES[cycle]!;
  const folder = join(args.work, `cycle-${cycle + 1}`);
  await log.open(folder, cycle);
  const run = pretrain({
    config,
    totalSteps: course.totalSteps,
    examplesOf: step => rowsOfStep(text, cycle, step),
    dataset:
      JSON.stringify([TRAINING, CYCLES[cycle]]) + (await readFile(join(args.out, 'tokenizer.json'), 'utf8')),
    longestRow: longest,
    evaluation: heldOutRows(text, TRAINING.evaluationRows),
    startFrom: cycle === 0 ? null : args.out,
    options: {
      ...toRunOptions(TRAINING_DEFAULTS),
      ...TRAINING,
      ...course,
      lrSchedulerType: 'cosine',
      keepCheckpoints: 2,
      seed: SEED,
      threads: args.threads === undefined ? undefined : Number(args.threads),
      provider: 'cpu',
    },
    folder,
    pause: stop.signal,
  });
  for await (const event of run) {
    process.stdout.write(`${JSON.stringify(event)}\n`);
    await log.add(event);
    if (event.type !== 'completed') continue;
    await exportModel(config, event.folder, args.out, 'BF16');
    await log.publish();
    await rm(join(folder, 'final'), { recursive: true });
  }
}

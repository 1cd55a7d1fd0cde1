// Generating and training: tokens a second. A step of training takes turns with the step's own matrix products alone, in
// the same process, and with PyTorch, where it is there. And how long the process that asked for a run was kept from its
// own work. SVC_BENCH_SHAPES=tiny leaves out the rest; SVC_BENCH_LLAMA names a folder where `npm install node-llama-cpp`
// ran, and generating then takes turns with llama.cpp.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startTraining } from '../../lib/engine/index.js';
import { makeModelFolder } from '../support/tiny-model.js';
import { trainOptions } from '../support/train-options.js';
import { compareDecoding } from './engine/compare-decoding.js';
import { compareTraining } from './engine/compare-training.js';
import { BENCH_SHAPES, ROW_KINDS, rowsOf, writeRandomModel } from './engine/shapes.js';
import { type Row, renderTable } from './table.js';

export const name = 'training a LoRA adapter of rank 16 on all modules';

export async function run(): Promise<Row[]> {
  const wanted = process.env.SVC_BENCH_SHAPES?.split(',') ?? BENCH_SHAPES.map(shape => shape.name);
  const rows: Row[] = [];
  const decoding: Row[] = [];
  for (const shape of BENCH_SHAPES.filter(({ name: known }) => wanted.includes(known))) {
    const folder = await writeRandomModel(shape);
    try {
      const named = { shape: shape.name };
      const vocabulary = shape.config.vocab_size as number;
      for (const kind of ROW_KINDS)
        for (const row of await compareTraining(folder, rowsOf({ ...shape, vocabulary }, kind)))
          rows.push({ ...named, rows: kind, ...row });
      for (const row of await compareDecoding(folder, shape.tokens)) decoding.push({ ...named, ...row });
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  console.log(
    `Event-loop delay of the asking process during a run, p99: ${(await measureDelay()).toFixed(1)} ms`,
  );
  console.log(`\ngenerating\n${renderTable(decoding)}`);
  return rows;
}

async function measureDelay(): Promise<number> {
  const modelFolder = await makeModelFolder();
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const path = join(folder, 'rows.jsonl');
  await writeFile(path, Array(40).fill('{"prompt":"say it","completion":" it is said"}').join('\n'));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const training = startTraining(
    {
      jobId: 'bench',
      request: {
        modelFolder,
        modelName: 'tiny',
        source: { type: 'file', path },
        trainOn: 'assistant',
        options: trainOptions({ maxSteps: 300 }),
        folder: join(folder, 'out'),
        cacheFolder: folder,
      },
    },
    ({ type }) => {
      if (type === 'training.started') delay.enable();
    },
  );
  await training.ended;
  delay.disable();
  await Promise.all([modelFolder, folder].map(path => rm(path, { recursive: true })));
  // The monitor's own interval is part of what it counts.
  return delay.percentile(99) / 1e6 - 5;
}

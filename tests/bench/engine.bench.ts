// Generating and training: tokens a second, and in training, next to the time that the step's own matrix products take alone in the same process; and
// how long the process that asked for a run was kept from its own work. SVC_BENCH_SHAPES=tiny leaves out the rest.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startTraining } from '../../lib/engine/index.js';
import { makeModelFolder } from '../support/tiny-model.js';
import { measureDecoding } from './engine/decode.js';
import { measurePeer } from './engine/peer.js';
import {
  BENCH_SHAPES,
  type BenchShape,
  ROW_KINDS,
  type RowKind,
  rowsOf,
  writeRandomModel,
} from './engine/shapes.js';
import { type Row, renderTable } from './table.js';

export const name = 'training a LoRA adapter of rank 16 on all modules, f32';

const script = fileURLToPath(new URL('engine/measure.ts', import.meta.url));
const tsx = fileURLToPath(new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url));

export async function run(): Promise<Row[]> {
  const wanted = process.env.SVC_BENCH_SHAPES?.split(',') ?? BENCH_SHAPES.map(shape => shape.name);
  const rows: Row[] = [];
  const decoding: Row[] = [];
  for (const shape of BENCH_SHAPES.filter(({ name: known }) => wanted.includes(known))) {
    const folder = await writeRandomModel(shape);
    try {
      for (const kind of ROW_KINDS) rows.push(await measure(folder, shape, kind));
      decoding.push(...(await measureDecoding(shape, folder)));
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

async function measure(folder: string, shape: BenchShape, kind: RowKind): Promise<Row> {
  const args = ['--import', tsx, script, folder, shape.name, kind];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const ours = JSON.parse(stdout) as Row & { 'tokens/s': number };
  const peer = await measurePeer(folder, rowsOf(shape, kind));
  return {
    shape: shape.name,
    rows: kind,
    ...ours,
    peer: peer?.peer ?? 'no Python with torch here',
    'its tokens/s': peer ? Math.round(peer.tokensPerSecond) : '-',
    'times the peer': peer ? (ours['tokens/s'] / peer.tokensPerSecond).toFixed(2) : '-',
  };
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
        options: { maxSteps: 300 },
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

// Generating and training: tokens a second. A step of training takes turns with the step's own matrix products alone, in
// the same process, and with PyTorch, where it is there. And how long the process that asked for a run was kept from its
// own work. SVC_BENCH_SHAPES=tiny leaves out the rest; SVC_BENCH_LLAMA names a folder where `npm install node-llama-cpp`
// ran, and generating then takes turns with llama.cpp.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withServingMemory } from '../../lib/engine/environment.js';
import { startTraining } from '../../lib/engine/index.js';
import { makeModelFolder } from '../support/tiny-model.js';
import { trainOptions } from '../support/train-options.js';
import type { Introduction, Round } from './engine/measure.js';
import { type PeerIntroduction, PRECISIONS, startPeer } from './engine/peer.js';
import {
  BENCH_SHAPES,
  type BenchShape,
  ROW_KINDS,
  type RowKind,
  rowsOf,
  writeRandomModel,
} from './engine/shapes.js';
import { type Measured, startMeasured, tsx } from './engine/turns.js';
import { median } from './median.js';
import { type Row, renderTable } from './table.js';

export const name = 'training a LoRA adapter of rank 16 on all modules';

const script = fileURLToPath(new URL('engine/measure.ts', import.meta.url));
const decodeScript = fileURLToPath(new URL('engine/decode.ts', import.meta.url));

export async function run(): Promise<Row[]> {
  const wanted = process.env.SVC_BENCH_SHAPES?.split(',') ?? BENCH_SHAPES.map(shape => shape.name);
  const rows: Row[] = [];
  const decoding: Row[] = [];
  for (const shape of BENCH_SHAPES.filter(({ name: known }) => wanted.includes(known))) {
    const folder = await writeRandomModel(shape);
    try {
      for (const kind of ROW_KINDS) rows.push(...(await measure(folder, shape, kind)));
      decoding.push(...(await measureDecoding(folder, shape)));
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

const ROUNDS = 7;
const WEIGHTS = ['f32', 'int8'] as const;

interface Peer {
  introduction: PeerIntroduction;
  precision: string;
  stepMs: number[];
}

/** A row for each form of the weights; they and PyTorch, in each precision, take turns. */
async function measure(folder: string, shape: BenchShape, kind: RowKind): Promise<Row[]> {
  const ours: Measured<Introduction, Round>[] = [];
  const peers: Measured<PeerIntroduction, { stepMs: number }>[] = [];
  try {
    for (const weights of WEIGHTS) {
      const args = ['--import', tsx, script, folder, shape.name, kind, weights];
      ours.push(await startMeasured<Introduction, Round>(process.execPath, args));
    }
    for (const precision of PRECISIONS) {
      const peer = await startPeer(folder, rowsOf(shape, kind), precision);
      if (peer) peers.push(peer);
    }
    const ourRounds: Round[][] = ours.map(() => []);
    const peerMs: number[][] = peers.map(() => []);
    for (let i = 0; i < ROUNDS; i++) {
      for (const [at, one] of ours.entries()) ourRounds[at]!.push(await one.next());
      for (const [at, peer] of peers.entries()) peerMs[at]!.push((await peer.next()).stepMs);
    }
    const described = peers.map(({ introduction }, i) => ({
      introduction,
      precision: PRECISIONS[i]!,
      stepMs: peerMs[i]!,
    }));
    return WEIGHTS.map((weights, i) => ({
      shape: shape.name,
      rows: kind,
      weights,
      ...describeRounds(ours[i]!.introduction, ourRounds[i]!, described),
    }));
  } finally {
    await Promise.all([...ours, ...peers].map(one => one.close()));
  }
}

function describeRounds(
  { tokens, passes, roundingMs, sessionMs, peakMB }: Introduction,
  rounds: readonly Round[],
  peers: readonly Peer[],
): Row {
  const perSecond = (count: number, ms: number) => (count / ms) * 1000;
  const steps = rounds.map(({ stepMs }) => perSecond(tokens, stepMs));
  return {
    tokens,
    passes,
    'step ms': Math.round(median(rounds.map(({ stepMs }) => stepMs))),
    'tokens/s': Math.round(median(steps)),
    'products ms': Math.round(median(rounds.map(({ productsMs }) => productsMs))),
    'step / products': median(rounds.map(({ stepMs, productsMs }) => stepMs / productsMs)).toFixed(2),
    'rounding ms': Math.round(roundingMs),
    'session ms': Math.round(sessionMs),
    'peak MB': Math.round(peakMB),
    peer: peers[0]?.introduction.peer ?? 'no Python with torch here',
    ...Object.fromEntries(
      peers.flatMap(({ introduction, precision, stepMs }) => {
        const theirs = stepMs.map(ms => perSecond(introduction.tokens, ms));
        return [
          [`${precision} tokens/s`, Math.round(median(theirs))],
          [`times ${precision}`, median(steps.map((speed, i) => speed / theirs[i]!)).toFixed(2)],
        ];
      }),
    ),
  };
}

async function measureDecoding(folder: string, { name: shape }: BenchShape): Promise<Row[]> {
  const args = ['--import', tsx, decodeScript, folder, shape];
  const env = withServingMemory(process.env);
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout) as Row[];
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

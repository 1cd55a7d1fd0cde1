// Training and answering on this machine's GPU through WebGPU, and on its CPU. Needs Node, the package and the driver. SVC_BENCH_TORCH names a
// Python with PyTorch, transformers and PEFT: its rows on a GPU follow.
import { execFile, spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BENCH_SHAPES, writeRandomModel } from './engine/shapes.js';
import { tsx } from './engine/turns.js';
import type { Row } from './table.js';

export const name =
  "training and answering with SmolLM2-135M's shape on the GPU and on the CPU; products are in float32";

const TRAINING = fileURLToPath(new URL('device/measure.ts', import.meta.url));
const ANSWERING = fileURLToPath(new URL('device/measure-answers.ts', import.meta.url));

const CASES = [
  { provider: 'webgpu', weights: 'f32', tokens: 256, rounds: 60 },
  { provider: 'webgpu', weights: 'f16', tokens: 256, rounds: 60 },
  { provider: 'webgpu', weights: 'f32', tokens: 4096, rounds: 40 },
  { provider: 'webgpu', weights: 'f16', tokens: 4096, rounds: 40 },
  { provider: 'webgpu', weights: 'f32', tokens: 8192, rounds: 20 },
  { provider: 'cpu', weights: 'f32', tokens: 256, rounds: 5 },
] as const;

const ANSWERS = (['webgpu', 'cpu'] as const).flatMap(provider => [
  { provider, texts: 1 },
  { provider, texts: 16 },
]);

interface Measured {
  startMs: number;
  stepMs: number;
  passes: number;
  speed: number;
}

/** In tokens a second. */
interface Answered {
  startMs: number;
  read: number;
  written: number;
}

export async function run(): Promise<Row[]> {
  const folder = await writeRandomModel(BENCH_SHAPES.find(shape => shape.name === '135m')!);
  const rows: Row[] = [];
  try {
    for (const { provider, weights, tokens, rounds } of CASES) {
      const args = [folder, provider, weights, `${tokens}`, `${rounds}`];
      const { startMs, stepMs, passes, speed } = await measure<Measured>(TRAINING, args);
      rows.push({
        device: provider,
        weights,
        'tokens a step': tokens,
        passes,
        'start, s': (startMs / 1000).toFixed(1),
        'ms a step': Math.round(stepMs),
        'tokens a second': Math.round(speed),
      });
    }
    for (const { provider, texts } of ANSWERS) {
      const { startMs, read, written } = await measure<Answered>(ANSWERING, [folder, provider, `${texts}`]);
      rows.push({
        device: provider,
        'start, s': (startMs / 1000).toFixed(1),
        texts,
        'prompt tokens a second': Math.round(read),
        'answer tokens a second': Math.round(written),
      });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  runTorch();
  return rows;
}

async function measure<Found>(script: string, args: readonly string[]): Promise<Found> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', tsx, script, ...args]);
  return JSON.parse(stdout);
}

/** Prints its own rows. */
function runTorch(): void {
  const python = process.env.SVC_BENCH_TORCH;
  if (!python) return;
  const cwd = fileURLToPath(new URL('../../ray', import.meta.url));
  const { status } = spawnSync(python, ['-m', 'bench.gpu'], { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error(`The bench in ray/bench ended with ${status}.`);
}

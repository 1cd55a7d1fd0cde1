// The engine of PyTorch, as it runs on a cluster, against a plain loop with PEFT and the same rows, in turns, and its losses
// against those of our own engine. Needs `ray/.venv`, which `npm run test:ray` makes.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Row } from './table.js';

export const name = 'a step of PyTorch through svc and with plain PEFT, on CPUs, and the losses of 100 steps';

const folder = fileURLToPath(new URL('../../ray', import.meta.url));
const python = `${folder}/.venv/bin/python`;

interface Figures {
  torch: string;
  threads: number;
  /** Milliseconds a step. */
  svc: number;
  peft: number;
  ratio: number;
  turns: number[];
  losses: { steps: number; largest: number; atStep: number };
}

export async function run(): Promise<Row[]> {
  if (!existsSync(python)) throw new Error('There is no ray/.venv. Run "npm run test:ray" once.');
  const { stdout, status } = spawnSync(python, ['-m', 'bench.against_peft'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`The bench in ray/bench ended with ${status}.`);
  const { torch, threads, svc, peft, ratio, turns, losses }: Figures = JSON.parse(
    stdout.trim().split('\n').at(-1)!,
  );
  return [
    {
      torch: `${torch}, ${threads} threads`,
      'svc, ms a step': Math.round(svc),
      'plain PEFT, ms a step': Math.round(peft),
      ratio: ratio.toFixed(2),
      'ratio by turn': turns.map(one => one.toFixed(2)).join(' '),
      'largest difference of a loss': `${(100 * losses.largest).toPrecision(2)} % (step ${losses.atStep} of ${losses.steps})`,
    },
  ];
}

// A sweep over two settings beside the demonstration's jobs: ten of twelve runs have completed.
import type { JobSummary } from '../../../lib/contract/index.js';
import { sampleJob } from '../samples.js';
import { fillDemo } from './demo.js';
import type { World } from './world.js';

export const SWEEP = '5e3a9c1e-7a51-4b8e-9d3a-0c2f5b6d7e80';

const RATES = [0.0005, 0.001, 0.002, 0.004];
const RANKS = [4, 8, 16];

export function addSweep(world: World): void {
  fillDemo(world);
  const runs = RATES.flatMap(rate => RANKS.map(rank => ({ rate, rank })));
  world.jobs.unshift(
    ...runs
      .map(({ rate, rank }, index) => sweptRun(index, rate, rank, statusOf(index, runs.length)))
      .reverse(),
  );
}

function statusOf(index: number, count: number): JobSummary['status'] {
  if (index === count - 1) return 'queued';
  return index === count - 2 ? 'running' : 'completed';
}

function sweptRun(index: number, rate: number, rank: number, status: JobSummary['status']) {
  const reached = status === 'completed';
  const right = 0.9 - Math.abs(Math.log2(rate / 0.002)) * 0.18 - Math.abs(rank - 8) * 0.02;
  const second = String(index).padStart(2, '0');
  return sampleJob({
    id: `5e3a9c${second}-7a51-4b8e-9d3a-0c2f5b6d7e80`,
    name: 'triage',
    trainer: 'triage',
    status,
    createdAt: `2026-03-06T09:00:${second}.000Z`,
    evalLoss: reached ? 1.1 - right : null,
    loss: status === 'queued' ? null : 1 - right,
    bestScore: reached ? { name: 'right', value: Math.round(right * 20) / 20, higher: true } : null,
    group: {
      id: SWEEP,
      settings: [
        { name: 'learningRate', value: rate },
        { name: 'lora.r', value: rank },
      ],
    },
  });
}

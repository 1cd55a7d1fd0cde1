import { describe, expect, it } from 'vitest';
import { findSweep, parallelAxes, scoreOf, sweepProgress, winnerText } from '../../lib/console/index.js';
import type { JobSummary } from '../../lib/contract/index.js';
import { sampleJob } from '../support/samples.js';

const run = (id: string, rate: number, r: number, fields: Partial<JobSummary> = {}): JobSummary =>
  sampleJob({
    id,
    status: 'completed',
    group: {
      id: 'g',
      settings: [
        { name: 'learningRate', value: rate },
        { name: 'lora.r', value: r },
      ],
    },
    ...fields,
  });
/** As lists have them: newest first. */
const runs = [
  run('d', 0.002, 16, { status: 'running', loss: 0.01, evalLoss: 0.01 }),
  run('c', 0.002, 8, { loss: 0.1, evalLoss: 0.5 }),
  run('b', 0.001, 16, { loss: 0.3, evalLoss: 0.25 }),
  run('a', 0.001, 8, { loss: 0.2, evalLoss: 0.75 }),
];
const jobs = [sampleJob({ id: 'x' }), ...runs];

describe('a sweep', () => {
  it('has its runs in the order in which they were queued, and the one with the lowest final eval loss wins', () => {
    const sweep = findSweep(jobs, 'g')!;
    expect(sweep.runs.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(sweep).toMatchObject({ settings: ['learningRate', 'lora.r'], measure: 'Final eval loss' });
    expect(sweep.winner!.id).toBe('b');
    expect(winnerText(sweep)).toBe('learningRate=0.001 lora.r=16, final eval loss 0.25');
    expect(sweepProgress(sweep)).toBe('3 of 4 runs completed');
  });

  it('is compared by training loss where nothing was evaluated, and never by a run that has not completed', () => {
    const trained = runs.map(job => ({ ...job, evalLoss: null }));
    const sweep = findSweep(trained, 'g')!;
    expect(sweep).toMatchObject({ measure: 'Final loss', winner: { id: 'c' } });
    expect(scoreOf(sweep.runs[3]!, sweep.measure)).toBeNull();
  });

  it('has no winner before one has completed, and is none without its jobs', () => {
    const queued = runs.map(job => ({ ...job, status: 'queued' as const }));
    expect(findSweep(queued, 'g')).toMatchObject({ winner: null, measure: null });
    expect(winnerText(findSweep(queued, 'g')!)).toBeNull();
    expect(findSweep(jobs, 'other')).toBeNull();
  });
});

describe('the parallel axes of a sweep', () => {
  it('have one for each setting, with its values at equal distances, and one for the result, to scale', () => {
    const { axes } = parallelAxes(findSweep(jobs, 'g')!);
    expect(axes).toEqual([
      {
        title: 'learningRate',
        ticks: [
          { label: '0.001', at: 0 },
          { label: '0.002', at: 1 },
        ],
      },
      {
        title: 'lora.r',
        ticks: [
          { label: '8', at: 0 },
          { label: '16', at: 1 },
        ],
      },
      {
        title: 'Final eval loss',
        ticks: [
          { label: '0.25', at: 0 },
          { label: '0.75', at: 1 },
        ],
      },
    ]);
  });

  it('are crossed by each run where its values are; the winner is drawn last', () => {
    const { lines } = parallelAxes(findSweep(jobs, 'g')!);
    expect(lines.map(({ job, at }) => [job.id, at])).toEqual([
      ['a', [0, 0, 1]],
      ['c', [1, 0, 0.5]],
      ['d', [1, 1]],
      ['b', [0, 1, 0]],
    ]);
    expect(lines.map(({ isWinner }) => isWinner)).toEqual([false, false, false, true]);
  });

  it('sort words by name and numbers by size, and put a single value in the middle', () => {
    const scheduled = ['linear', 'cosine'].map((value, index) =>
      run(String(index), 1, 1, { group: { id: 'g', settings: [{ name: 'lrScheduler', value }] }, loss: 1 }),
    );
    const { axes } = parallelAxes(findSweep(scheduled, 'g')!);
    expect(axes[0]!.ticks.map(({ label }) => label)).toEqual(['cosine', 'linear']);
    expect(axes[1]).toEqual({ title: 'Final loss', ticks: [{ label: '1', at: 0.5 }] });
    const sizes = [8, 128, 16].map((value, index) =>
      run(String(index), 1, 1, { group: { id: 'g', settings: [{ name: 'lora.r', value }] } }),
    );
    expect(parallelAxes(findSweep(sizes, 'g')!).axes[0]!.ticks.map(({ label }) => label)).toEqual([
      '8',
      '16',
      '128',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import {
  findSweep,
  parallelAxes,
  scoreOf,
  sweepCells,
  sweepColumns,
  sweepProgress,
  winnerText,
} from '../../lib/console/index.js';
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
    expect(sweep).toMatchObject({
      settings: ['learningRate', 'lora.r'],
      measure: { title: 'Final eval loss' },
    });
    expect(sweep.winner!.id).toBe('b');
    expect(winnerText(sweep)).toBe('learningRate=0.001 lora.r=16, final eval loss 0.25');
    expect(sweepProgress(sweep)).toBe('3 of 4 runs completed');
  });

  it('is compared by training loss where nothing was evaluated, and never by a run that has not completed', () => {
    const trained = runs.map(job => ({ ...job, evalLoss: null }));
    const sweep = findSweep(trained, 'g')!;
    expect(sweep).toMatchObject({ measure: { title: 'Final loss' }, winner: { id: 'c' } });
    expect(scoreOf(sweep.runs[3]!, sweep.measure)).toBeNull();
  });

  it('is compared by the score that its trainer has chosen, whether higher or lower is better', () => {
    const scored = (higher: boolean) =>
      runs.map((job, index) => ({
        ...job,
        bestScore: index === 1 ? null : { name: 'F1', value: index, higher },
      }));
    const sweep = findSweep(scored(true), 'g')!;
    expect(sweep).toMatchObject({ measure: { title: 'Best F1' }, winner: { id: 'a' } });
    expect(winnerText(sweep)).toBe('learningRate=0.001 lora.r=8, best F1 3');
    expect(sweepColumns(sweep).at(-1)!.text(sweep.runs[2]!, 0)).toBe('–');
    expect(sweepColumns(sweep).at(-1)!.text(sweep.runs[0]!, 0)).toBe('3 *');
    expect(findSweep(scored(false), 'g')!.winner!.id).toBe('b');
  });

  it.each([
    ['final eval loss', [0.5, 0.25, 0.25], [0.1, 0.4, 0.2], 'c'],
    ['final loss, if nothing was evaluated', [null, null, null], [0.3, 0.1, 0.2], 'b'],
    ['order, if all is the same', [0.5, 0.5, 0.5], [0.1, 0.1, 0.1], 'a'],
  ])('breaks ties of the score by the %s', (_, evalLosses, losses, winner) => {
    const tied = ['c', 'b', 'a'].map(id => {
      const at = 'abc'.indexOf(id);
      const bestScore = { name: 'accuracy', value: 1, higher: true };
      return run(id, at, 8, { bestScore, evalLoss: evalLosses[at] ?? null, loss: losses[at] ?? null });
    });
    expect(findSweep(tied, 'g')!.winner!.id).toBe(winner);
  });

  it('breaks ties of the eval loss by the final loss', () => {
    const tied = [run('b', 1, 8, { evalLoss: 0.5, loss: 0.1 }), run('a', 2, 8, { evalLoss: 0.5, loss: 0.2 })];
    expect(findSweep(tied, 'g')!.winner!.id).toBe('b');
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

describe('the parallel axes in cells', () => {
  const cells = (options: Partial<Parameters<typeof sweepCells>[1]> = {}) =>
    sweepCells(findSweep(jobs, 'g')!, { width: 41, height: 9, isFine: false, ...options });

  it('are as wide as given, with room for the labels of the last one', () => {
    const { axes } = cells()!;
    expect(axes.map(({ title, column }) => [title, column])).toEqual([
      ['learningRate', 0],
      ['lora.r', 17],
      ['Final eval loss', 34],
    ]);
    expect(axes[2]!.ticks).toEqual([
      { row: 0, label: '0.25' },
      { row: 8, label: '0.75' },
    ]);
  });

  it('are joined by the straight lines of the runs, the winner in front, as far as a run has a result', () => {
    const { lines } = cells()!;
    const { line, isWinner } = lines.at(-1)!;
    expect(isWinner).toBe(true);
    expect([line.rows[0], line.rows[17], line.end]).toEqual([0, 8, 0]);
    expect(line.rows).toHaveLength(35);
    const steps = line.rows.slice(1).map((row, index) => Math.abs(row - line.rows[index]!));
    expect(Math.max(...steps)).toBe(1);
    expect(lines.find(({ job }) => job.id === 'd')!.line.rows).toHaveLength(18);
  });

  it('have two columns and four rows of dots in a cell, and are crossed in the middle of one', () => {
    const { line } = cells({ isFine: true })!.lines.at(-1)!;
    expect(line.rows).toHaveLength(69);
    expect([line.rows[0], line.rows[34], line.end]).toEqual([2, 34, 2]);
  });

  it('leave out labels that would be in the same row, and keep the ends', () => {
    const many = [1, 2, 3, 4, 5].map(r =>
      run(String(r), 1, r, { group: { id: 'g', settings: [{ name: 'lora.r', value: r }] }, loss: r }),
    );
    const { axes } = sweepCells(findSweep(many, 'g')!, { width: 30, height: 3, isFine: false })!;
    expect(axes[0]!.ticks.map(({ label }) => label)).toEqual(['1', '5', '3']);
  });

  it('are none where there is no room for their labels, or only one axis', () => {
    expect(cells({ width: 20 })).toBeNull();
    const queued = [
      run('a', 1, 8, { status: 'queued', group: { id: 'g', settings: [{ name: 'x', value: 1 }] } }),
    ];
    expect(sweepCells(findSweep(queued, 'g')!, { width: 80, height: 9, isFine: true })).toBeNull();
  });
});

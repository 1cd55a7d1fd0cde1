import { describe, expect, it } from 'vitest';
import {
  findSweep,
  noWinnerText,
  parallelAxes,
  scoreOf,
  sweepCells,
  sweepColumns,
  sweepHead,
  sweepProgress,
  winnerText,
} from '../../lib/console/index.js';
import type { JobSummary } from '../../lib/contract/index.js';
import { sampleJob } from '../support/samples.js';

const groupOf = (settings: Record<string, number | string>) => ({
  id: 'g',
  settings: Object.entries(settings).map(([name, value]) => ({ name, value })),
});
const run = (id: string, rate: number, r: number, fields: Partial<JobSummary> = {}): JobSummary =>
  sampleJob({ id, status: 'completed', group: groupOf({ learningRate: rate, 'lora.r': r }), ...fields });
/** As lists have them: newest first. */
const runs = [
  run('d', 0.002, 16, { status: 'running', loss: 0.01, evalLoss: 0.01 }),
  run('c', 0.002, 8, { loss: 0.1, evalLoss: 0.5 }),
  run('b', 0.001, 16, { loss: 0.3, evalLoss: 0.25 }),
  run('a', 0.001, 8, { loss: 0.2, evalLoss: 0.75 }),
];
const jobs = [sampleJob({ id: 'x' }), ...runs];

describe('a sweep', () => {
  it('has its runs in the order in which they were queued, and the lowest final eval loss wins', () => {
    const sweep = findSweep(jobs, 'g')!;
    expect(sweep.runs.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(sweep).toMatchObject({ measure: { title: 'Final eval loss' }, winner: { id: 'b' } });
    expect(sweep.settings).toEqual(['learningRate', 'lora.r']);
    expect(winnerText(sweep)).toBe('learningRate=0.001 lora.r=16, final eval loss 0.25');
    expect(sweepProgress(sweep)).toBe('3 of 4 runs completed');
  });

  it('is compared by training loss where nothing was evaluated, never by an unfinished run', () => {
    const sweep = findSweep(
      runs.map(job => ({ ...job, evalLoss: null })),
      'g',
    )!;
    expect(sweep).toMatchObject({ measure: { title: 'Final loss' }, winner: { id: 'c' } });
    expect(scoreOf(sweep.runs[3]!, sweep.measure)).toBeNull();
  });

  it('is compared by the score that its trainer has chosen, whether higher or lower is better', () => {
    const [highest, lowest] = [true, false].map(higher => {
      const bestScores = runs.map((_, value) => (value === 1 ? null : { name: 'F1', value, higher }));
      return findSweep(
        runs.map((job, index) => ({ ...job, bestScore: bestScores[index]! })),
        'g',
      )!;
    });
    expect(highest).toMatchObject({ measure: { title: 'Best F1' }, winner: { id: 'a' } });
    expect(winnerText(highest!)).toBe('learningRate=0.001 lora.r=8, best F1 3');
    const column = sweepColumns(highest!).at(-1)!;
    expect([2, 0].map(index => column.text(highest!.runs[index]!, 0))).toEqual(['–', '3 *']);
    expect(lowest!.winner!.id).toBe('b');
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

  const rewarded = (id: string, loss: number, reward: number, evalReward: number | null = null) =>
    run(id, loss, 8, { loss, reward, evalReward });

  it('of runs that learn from rewards is won by the highest one, whatever their losses', () => {
    const heldOut = [rewarded('b', 0.1, 0.75, 0.25), rewarded('a', 0.9, 0.5, 0.5)];
    const sweep = findSweep(heldOut, 'g')!;
    expect(sweep).toMatchObject({ measure: { title: 'Final held-out reward' }, winner: { id: 'a' } });
    expect(winnerText(sweep)).toBe('learningRate=0.9 lora.r=8, final held-out reward 0.5');
    const trained = findSweep([rewarded('b', 0.1, 0.25), rewarded('a', 0.9, 0.75)], 'g')!;
    expect(trained).toMatchObject({ measure: { title: 'Final reward' }, winner: { id: 'a' } });
    const tied = [rewarded('c', 0.1, 0.5, 1), rewarded('b', 0.9, 0.75, 1), rewarded('a', 0.9, 0.5, 1)];
    expect(findSweep(tied, 'g')!.winner!.id).toBe('b');
  });

  it('breaks ties of the eval loss by the final loss', () => {
    const tied = [run('b', 1, 8, { evalLoss: 0.5, loss: 0.1 }), run('a', 2, 8, { evalLoss: 0.5, loss: 0.2 })];
    expect(findSweep(tied, 'g')!.winner!.id).toBe('b');
  });

  describe.each([
    'softWeight',
    'method.beta',
    'method.labelSmoothing',
    'method.sftWeight',
    'trainOnResponsesOnly',
    'enableThinking',
  ])('that varies %s', name => {
    const varied = (id: string, value: number, fields: Partial<JobSummary> = {}) =>
      run(id, 1, 8, {
        group: groupOf({ 'lora.r': 8, [name]: value }),
        loss: value,
        evalLoss: value,
        ...fields,
      });
    const why = `No best run: ${name} changes what the loss means. Choose a score with bestBy.`;

    it('has no winner by a loss, and says so once one has completed', () => {
      const sweep = findSweep([varied('b', 0), varied('a', 1)], 'g')!;
      expect(sweep).toMatchObject({ measure: { title: 'Final eval loss' }, winner: null });
      expect([winnerText(sweep), noWinnerText(sweep)]).toEqual([null, why]);
      expect(sweepColumns(sweep).at(-1)!.text(sweep.runs[1]!, 0)).toBe('0');
      expect(parallelAxes(sweep).lines.some(({ isWinner }) => isWinner)).toBe(false);
      const texts = sweepHead(sweep, 200).map(row => row.map(({ text }) => text).join(''));
      expect(texts).toEqual([expect.stringContaining(`2 of 2 runs completed   ${why}`)]);
      const queued = [varied('b', 0, { status: 'queued' }), varied('a', 1, { status: 'queued' })];
      expect(noWinnerText(findSweep(queued, 'g')!)).toBeNull();
    });

    it('is won by a score, or a reward; of equal scores, by the first', () => {
      const bestScore = { name: 'accuracy', value: 1, higher: true };
      const [scored, rewarded] = [{ bestScore }, { reward: 0.5 }].map(fields => {
        return findSweep([varied('b', 0, fields), varied('a', 1, fields)], 'g')!;
      });
      expect([scored!.winner?.id, noWinnerText(scored!)]).toEqual(['a', null]);
      expect([rewarded!.winner?.id, noWinnerText(rewarded!)]).toEqual(['a', null]);
    });

    it('with a single value is won by the lowest loss', () => {
      const same = findSweep([varied('b', 1, { evalLoss: 0.5 }), varied('a', 1)], 'g')!;
      expect([same.winner?.id, noWinnerText(same)]).toEqual(['b', null]);
    });
  });

  it('names all settings that change what the loss means', () => {
    const varied = ['b', 'a'].map((id, value) =>
      run(id, 1, 8, {
        loss: 1,
        group: groupOf({ softWeight: value, 'lora.r': value, 'method.beta': value }),
      }),
    );
    expect(noWinnerText(findSweep(varied, 'g')!)).toBe(
      'No best run: softWeight and method.beta change what the loss means. Choose a score with bestBy.',
    );
  });

  it('has no winner before one has completed, and is none without its jobs', () => {
    const sweep = findSweep(
      runs.map(job => ({ ...job, status: 'queued' as const })),
      'g',
    )!;
    expect([sweep.winner, sweep.measure, winnerText(sweep)]).toEqual([null, null, null]);
    expect(findSweep(jobs, 'other')).toBeNull();
  });
});

describe('the parallel axes of a sweep', () => {
  const labelsOf = (name: string, values: readonly (string | number)[]) => {
    const group = values.map(value => groupOf({ [name]: value }));
    const varied = values.map((_, index) => run(`${index}`, 1, 1, { group: group[index]!, loss: 1 }));
    return parallelAxes(findSweep(varied, 'g')!).axes.map(({ ticks }) => ticks.map(({ label }) => label));
  };

  it('are one for each setting, with its values at equal distances, and one for the result, to scale', () => {
    const { axes } = parallelAxes(findSweep(jobs, 'g')!);
    const ticks = axes.map(axis => axis.ticks.map(({ label, at }) => `${label} at ${at}`));
    expect(axes.map(({ title }) => title)).toEqual(['learningRate', 'lora.r', 'Final eval loss']);
    expect(ticks[0]).toEqual(['0.001 at 0', '0.002 at 1']);
    expect(ticks.slice(1)).toEqual([
      ['8 at 0', '16 at 1'],
      ['0.25 at 0', '0.75 at 1'],
    ]);
  });

  it('are crossed by each run where its values are; the winner is drawn last', () => {
    const { lines } = parallelAxes(findSweep(jobs, 'g')!);
    expect(lines.map(({ job, at, isWinner }) => [job.id, at, isWinner])).toEqual([
      ['a', [0, 0, 1], false],
      ['c', [1, 0, 0.5], false],
      ['d', [1, 1], false],
      ['b', [0, 1, 0], true],
    ]);
  });

  it('sort words by name and numbers by size, and put a single value in the middle', () => {
    expect(labelsOf('lrScheduler', ['linear', 'cosine'])).toEqual([['cosine', 'linear'], ['1']]);
    expect(labelsOf('lora.r', [8, 128, 16])[0]).toEqual(['8', '16', '128']);
    const { axes } = parallelAxes(findSweep([run('a', 1, 1, { loss: 1 })], 'g')!);
    expect(axes.at(-1)).toEqual({ title: 'Final loss', ticks: [{ label: '1', at: 0.5 }] });
  });
});

describe('the parallel axes in cells', () => {
  const cells = (options: Partial<Parameters<typeof sweepCells>[1]> = {}, listed = jobs) =>
    sweepCells(findSweep(listed, 'g')!, { width: 41, height: 9, isFine: false, ...options });

  it('are as wide as given, with room for the labels of the last one', () => {
    const { axes } = cells()!;
    const columns = axes.map(({ title, column }) => `${title} ${column}`);
    expect(columns).toEqual(['learningRate 0', 'lora.r 17', 'Final eval loss 34']);
    expect(axes[2]!.ticks.map(({ row, label }) => `${row} ${label}`)).toEqual(['0 0.25', '8 0.75']);
  });

  it('are joined by the straight lines of runs, the winner in front, as far as there is a result', () => {
    const { lines } = cells()!;
    const { line, isWinner } = lines.at(-1)!;
    expect([isWinner, line.rows.length]).toEqual([true, 35]);
    expect([line.rows[0], line.rows[17], line.end]).toEqual([0, 8, 0]);
    const steps = line.rows.slice(1).map((row, index) => Math.abs(row - line.rows[index]!));
    expect(Math.max(...steps)).toBe(1);
    expect(lines.find(({ job }) => job.id === 'd')!.line.rows).toHaveLength(18);
  });

  it('have two columns and four rows of dots in a cell, and are crossed in the middle of one', () => {
    const { rows, end } = cells({ isFine: true })!.lines.at(-1)!.line;
    expect([rows.length, rows[0], rows[34], end]).toEqual([69, 2, 34, 2]);
  });

  it('leave out labels of the same row, not the ends; they are none without room or a second axis', () => {
    const many = [1, 2, 3, 4, 5].map(r => run(`${r}`, 1, r, { group: groupOf({ 'lora.r': r }), loss: r }));
    const { axes } = cells({ width: 30, height: 3 }, many)!;
    expect(axes[0]!.ticks.map(({ label }) => label)).toEqual(['1', '5', '3']);
    const queued = [run('a', 1, 8, { status: 'queued', group: groupOf({ x: 1 }) })];
    expect([cells({ width: 20 }), cells({ width: 80, isFine: true }, queued)]).toEqual([null, null]);
  });
});

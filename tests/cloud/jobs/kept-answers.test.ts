// What a cloud keeps of the answers that a run learns from, and what it says of them.
import { beforeEach, describe, expect, it } from 'vitest';
import { keepStepAnswers, selectAnswers } from '../../../lib/cloud/jobs/kept-answers.js';
import type {
  JobAnswers,
  JobConfigInput,
  Rewarded,
  RewardedAnswer,
  RewardRequest,
  RowLosses,
} from '../../../lib/contract/index.js';
import { jobsToOpen } from './jobs-per-test.js';
import { scope } from './test-jobs.js';

const method: JobConfigInput['method'] = {
  type: 'grpo',
  reward: {
    type: 'string_check',
    name: 'right',
    input: '{{sample.output_text}}',
    reference: '{{item.sum}}',
    operation: 'eq',
  },
};

const groupOf = (row: number, answers: readonly RewardedAnswer[]) => ({
  ...{ row, item: { sum: '2' }, messages: [{ role: 'user', content: `1+1, ${row}` }] },
  answers: [...answers],
});

const request = (step: number, ...groups: string[][]): RewardRequest => ({
  step,
  groups: groups.map((texts, row) =>
    groupOf(
      row,
      texts.map(text => ({ text })),
    ),
  ),
});

describe('the answers of a job', () => {
  const cloud = jobsToOpen();
  beforeEach(() => cloud.openStarted());
  const answersOf = (id: string, query = '') =>
    cloud.json<JobAnswers>('GET', `/v1/jobs/${id}/answers${scope}${query}`);

  it('are the best and the worst of each group, with those that differ most first', async () => {
    const { id, run } = await cloud.begin({ method });
    expect(await answersOf(id)).toEqual({ steps: [], step: null, groups: [], total: 0, quiet: 0 });
    await run.score(request(1, ['3', '4'], ['3', '2', '4']));
    const answer = (text: string, reward: number) => ({ text, calls: [], cutFrom: null, reward, parts: {} });
    const all = { failed: 0, error: null };
    expect(await answersOf(id)).toEqual({
      ...{ steps: [1], step: 1, total: 2, quiet: 1 },
      groups: [
        {
          ...{ ...all, row: 1, prompt: '1+1, 1', answers: 3, mean: 1 / 3 },
          ...{ best: answer('2', 1), worst: answer('4', 0) },
        },
        { ...all, row: 0, prompt: '1+1, 0', answers: 2, mean: 0, best: answer('3', 0), worst: null },
      ],
    });
    await run.complete();
  });

  it('are not those of an evaluation, which has one to each prompt', async () => {
    const { id, run } = await cloud.begin({ method });
    await run.score(request(1, ['2', '3']));
    await run.score(request(1, ['7'], ['8']));
    expect((await answersOf(id)).groups.map(({ answers }) => answers)).toEqual([2]);
    await run.complete();
  });

  it('are of the first step, the last one, and evenly spaced ones between, however long the run is', async () => {
    const { id, run } = await cloud.begin({ method, loggingSteps: 2 });
    for (let step = 1; step <= 7; step++) await run.score(request(step, ['2', '3']));
    expect((await answersOf(id)).steps).toEqual([1, 2, 4, 6, 7]);
    for (let step = 8; step <= 403; step++) await run.score(request(step, ['2', '3']));
    const { steps, step } = await answersOf(id);
    expect([steps.slice(0, 3), steps.slice(-3), step]).toEqual([[1, 8, 16], [392, 400, 403], 403]);
    expect(steps).toHaveLength(52);
    const at = async (step: number) => (await answersOf(id, `&step=${step}`)).step;
    expect(await Promise.all([0, 1, 15, 16, 402, 999_999].map(at))).toEqual([1, 1, 8, 16, 400, 403]);
    await run.complete();
  });

  it('are replaced when another attempt repeats the step, and go with their job', async () => {
    const { id, run } = await cloud.begin({ method });
    await run.score(request(1, ['2', '3']));
    await run.score(request(2, ['2', '3']));
    await run.score(request(1, ['2', '5']));
    const { steps, groups } = await answersOf(id, '&step=1');
    expect([steps, groups[0]!.worst!.text]).toEqual([[1, 2], '5']);
    await cloud.finish(run);
    await cloud.json('DELETE', `/v1/jobs/${id}`);
    expect(await cloud.refusal('GET', `/v1/jobs/${id}/answers`)).toMatchObject({ status: 404 });
    expect(await cloud.db.selectFrom('job_answers').select('step').execute()).toEqual([]);
  });

  it('are chosen from all parts of a step that a worker elsewhere asks about in several', async () => {
    const { id, run } = await cloud.begin({ method });
    const keep = (part: number, rows: number[]) =>
      keepStepAnswers(
        cloud.db,
        { id, loggingSteps: 1 },
        {
          request: { step: 1, groups: rows.map(row => groupOf(row, [{ text: 'a' }, { text: 'b' }])) },
          part,
          response: { rewards: rows.map(row => [{ reward: row }, { reward: 0 }]) },
        },
      );
    await keep(0, [0, 1, 2, 3, 4, 5]);
    // Asked about again by a worker that got no answer, since the cloud was restarted.
    for (const part of [1, 1, 2]) await keep(part, [0, part * 10, part * 10 + 1]);
    await keep(1, [0, 10, 11]);
    const all = await answersOf(id);
    expect(all).toMatchObject({ steps: [1], total: 12, quiet: 3 });
    expect(all.groups.map(({ row }) => row)).toEqual([21, 20, 11, 10, 5, 4, 3, 2]);
    expect(Object.keys(all).sort()).toEqual(['groups', 'quiet', 'step', 'steps', 'total']);
    await keep(0, [7]);
    await keep(1, [8]);
    expect((await answersOf(id)).groups.map(({ row }) => row)).toEqual([8, 7]);
    await run.complete();
  });

  it('take the place of the losses of rows, as the job says', async () => {
    const { id, run } = await cloud.begin({ method });
    const rows = await cloud.json<RowLosses>('GET', `/v1/jobs/${id}/rows`);
    expect(rows).toMatchObject({ rows: [], unrecorded: 'Runs that learn from rewards have no row losses.' });
    await run.complete();
  });
});

describe('what is kept of a step', () => {
  const select = (answers: readonly RewardedAnswer[], rewards: Rewarded[]) =>
    selectAnswers({ step: 1, groups: [groupOf(0, answers)] }, { rewards: [rewards] }).groups[0]!;

  it('is the beginning of long texts, and a few calls', () => {
    const call = (size: number) => ({
      id: 'call_0',
      type: 'function' as const,
      function: { name: 'add', arguments: 'y'.repeat(size) },
    });
    const long = `${'x'.repeat(3990)}🙂🙂🙂🙂🙂🙂🙂🙂`;
    const { best, worst } = select(
      [{ text: long }, { text: 'z'.repeat(3000), toolCalls: Array.from({ length: 12 }, () => call(900)) }],
      [{ reward: 1, parts: { right: 1 } }, { reward: 0 }],
    );
    expect(best).toMatchObject({ cutFrom: long.length, parts: { right: 1 } });
    expect(best!.text).toMatch(/^x+🙂+…$/u);
    expect(best!.text.length).toBeLessThanOrEqual(4000);
    expect(worst!.cutFrom).toBe(3000 + 12 * 900);
    expect(worst!.calls).toHaveLength(10);
    const sizes = worst!.calls.map(({ arguments: given }) => given.length);
    expect(sizes.slice(0, 3)).toEqual([900, 100, 0]);
  });

  it('says how many answers have no reward, and why the first has none', () => {
    const texts = ['a', 'b', 'c'].map(text => ({ text }));
    const some = select(texts, [{ error: 'late' }, { reward: -2 }, { error: 'other' }]);
    expect(some).toMatchObject({ answers: 3, failed: 2, error: 'late', mean: -2, worst: null });
    expect(some.best).toMatchObject({ text: 'b', reward: -2 });
    const none = select(texts, [{ error: 'late' }, { error: 'late' }, { error: 'late' }]);
    expect(none).toMatchObject({ failed: 3, mean: null, best: null, worst: null });
  });

  it('is at most eight prompts of a step', () => {
    const groups = Array.from({ length: 20 }, (_, row) => groupOf(row, [{ text: 'a' }, { text: 'b' }]));
    const rewards = groups.map(({ row }) => [{ reward: row }, { reward: 0 }]);
    const kept = selectAnswers({ step: 1, groups }, { rewards });
    expect(kept.groups.map(({ row }) => row)).toEqual([19, 18, 17, 16, 15, 14, 13, 12]);
    expect([kept.total, kept.quiet]).toEqual([20, 1]);
  });
});

// Rewards as scores: their mean, their spread, and two candidates compared by them.
import { describe, expect, it } from 'vitest';
import { evaluationInput } from '../../lib/contract/index.js';
import { buildEvaluation, type RowAnswer, toRewardScores } from '../../lib/evaluation/index.js';

const subject = { target: { kind: 'base_model', baseModel: 'tiny' }, endpoint: null } as const;
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    row: index + 1,
    input: `question ${index + 1}`,
    expected: '',
  }));
const data = (rows: number) => ({ name: 'prompts.jsonl', digest: 'a'.repeat(64), rows });
const answer = (reward: number | null, parts?: Record<string, number>): RowAnswer =>
  reward === null
    ? { answer: 'x', error: 'It threw.' }
    : { answer: `${reward}`, rewards: toRewardScores(reward, parts) };

describe('an evaluation by rewards', () => {
  const rewards = [3, -1, 2, null, 0];
  const built = buildEvaluation({
    ...{ data: data(5), taskName: null, task: { kind: 'reward', parts: ['brief'] }, rows: rowsOf(5) },
    candidate: { subject, answers: rewards.map(reward => answer(reward, { brief: 0.5 })) },
  });

  it('is one that the cloud takes', () => {
    expect(evaluationInput.parse(built)).toEqual(built);
    expect(built.task).toEqual({ name: null, kind: 'reward' });
  });

  it('has the mean reward, its spread, and the means of its parts, of the answers that have one', () => {
    expect(built.scores.map(({ name, kind, value, rows }) => [name, kind, value, rows])).toEqual([
      ['reward', 'reward', 1, 4],
      ['rewardSpread', 'reward', Math.sqrt(10 / 3), 4],
      ['reward.brief', 'reward', 0.5, 4],
    ]);
    const [mean, spread] = built.scores;
    expect([mean!.low < 1, mean!.high > 1, mean!.low >= -1, mean!.high <= 3]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(spread!.low).toBeLessThan(spread!.value);
    expect(spread!.high).toBeGreaterThan(spread!.value / 2);
  });

  it('has rows without a reward first, then the lowest ones, and says why', () => {
    expect(built.rows.map(({ row }) => row)).toEqual([4, 2, 5, 3, 1]);
    expect(built.rows[0]).toMatchObject({ answer: 'x', error: 'It threw.', scores: {} });
    expect(built.failed).toBe(0);
  });

  it('has no spread of a single reward', () => {
    const one = buildEvaluation({
      ...{ data: data(1), taskName: null, task: { kind: 'reward' }, rows: rowsOf(1) },
      candidate: { subject, answers: [answer(0.7)] },
    });
    expect(one.scores.map(({ name }) => name)).toEqual(['reward']);
  });
});

describe('two candidates', () => {
  const compare = (own: readonly (number | null)[], others: readonly (number | null)[]) =>
    buildEvaluation({
      ...{ data: data(own.length), taskName: null, task: { kind: 'reward' }, rows: rowsOf(own.length) },
      candidate: { subject, answers: own.map(reward => answer(reward)) },
      against: { subject, answers: others.map(reward => answer(reward)) },
    }).comparison!.scores[0]!;
  const noise = Array.from({ length: 40 }, (_, i) => ((i * 7) % 11) / 2);

  it('are compared row by row, on any scale: a higher reward is better', () => {
    const better = compare(
      noise.map((reward, i) => reward + 5 + (i % 3)),
      noise,
    );
    expect(better).toMatchObject({ score: 'reward', kind: 'reward', verdict: 'better', rows: 40 });
    expect(better.difference).toBeCloseTo(5.975, 5);
    expect(better.low).toBeGreaterThan(5);
    expect(better.changed).toEqual({ better: 40, worse: 0, same: 0 });
    const worse = compare(
      noise,
      noise.map((reward, i) => reward + 5 + (i % 3)),
    );
    expect([worse.verdict, worse.difference]).toEqual(['worse', -better.difference]);
    expect(compare(noise, noise)).toMatchObject({ verdict: 'no_difference_found', difference: 0 });
  });

  it('say what so many rows could show on that scale, which has no end at 1', () => {
    const shaken = noise.map((reward, i) => reward + (i % 2 ? 30 : -30));
    expect(compare(shaken, noise).findable).toBeGreaterThan(5);
    const binary = compare([1, 0, 1, 0], [0, 1, 1, 0]);
    expect(binary.findable).toBeLessThanOrEqual(1);
  });

  it('are compared where both have a reward', () => {
    expect(compare([1, null, 2], [0, 5, null]).rows).toBe(1);
  });
});

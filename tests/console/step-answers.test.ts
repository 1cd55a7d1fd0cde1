// The answers of a step with their rewards, as both faces and the command line show them.
import { expect, it } from 'vitest';
import {
  answersNote,
  answersStepAt,
  answersStepLabel,
  displayWidth,
  groupRows,
  learnsFromRewards,
  neighborAnswers,
  noAnswersText,
  type Span,
  shownGroups,
} from '../../lib/console/index.js';
import { NO_ANSWERS, sampleAnswers } from '../support/sample-answers.js';

const textOf = (rows: readonly (readonly Span[])[]) =>
  rows.map(row =>
    row
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );
const [differing, called, same, failed] = shownGroups(sampleAnswers());

it('has the best and the worst answer to a prompt, with what they were worth', () => {
  expect(differing).toEqual({
    row: 'Row 4',
    about: '4 answers, mean reward 0.5',
    prompt: 'Count the words: plum, pear, fig.',
    problem: null,
    answers: [
      {
        ...{ kind: 'best', label: 'Best', reward: '1', parts: 'right 1, brief 0.5', note: null },
        text: '{"count":3,"step":20}',
      },
      {
        ...{ kind: 'worst', label: 'Worst', reward: '0.2', parts: 'right 0, brief 1', note: null },
        text: 'I think\nthere are some.',
      },
    ],
  });
});

it('writes the calls of an answer, and says what was cut, what is empty, and what has no reward', () => {
  expect(called!.answers[0]).toMatchObject({ text: 'get_weather({"city":"Paris"})', note: null });
  expect(called!.answers[1]!.note).toBe('The beginning of 9,120 characters');
  expect(called!.problem).toBe('1 without a reward: It took longer than 30 s.');
  expect(same!.answers).toEqual([
    { kind: 'same', label: 'All 4', reward: '0.5', parts: '', text: '', note: 'Empty answer' },
  ]);
  expect(failed).toMatchObject({ about: '4 answers', answers: [], problem: '4 without a reward: no parser' });
});

it('says which prompts are shown, and how many taught nothing', () => {
  const { groups } = sampleAnswers();
  expect(answersNote({ groups, total: 4, quiet: 0 })).toBe('4 prompts');
  expect(answersNote({ groups, total: 32, quiet: 5 })).toBe(
    '4 of 32 prompts, those whose rewards differ most · All answers to 5 of them got the same reward',
  );
  expect(answersNote({ groups, total: 4, quiet: 4 })).toMatch(/this step taught nothing$/);
});

it('knows the steps around one, and the last', () => {
  expect(answersStepLabel(sampleAnswers())).toBe('Step 20 (3 of 3 kept)');
  const at = (step: number) => sampleAnswers({ step });
  expect([0, 1, 15, 99].map(step => answersStepAt(sampleAnswers(), step))).toEqual([1, 1, 10, 20]);
  expect(answersStepAt(NO_ANSWERS, 5)).toBe(null);
  expect([-1, 1].map(direction => neighborAnswers(at(15), direction as 1))).toEqual([1, 20]);
  expect(neighborAnswers(at(20), 1)).toBe(null);
  expect([answersStepLabel(NO_ANSWERS), neighborAnswers(NO_ANSWERS, 1)]).toEqual(['', null]);
});

it('says why a job has none', () => {
  expect(learnsFromRewards({ method: { type: 'grpo' } } as never)).toBe(true);
  expect(learnsFromRewards({ loraR: 8 } as never)).toBe(false);
  expect(learnsFromRewards(null)).toBe(false);
  expect(noAnswersText({ method: { type: 'grpo' } } as never)).toContain('once a step is rewarded');
  expect(noAnswersText({})).toContain('does not learn from rewards');
});

it('puts both answers side by side where a terminal has room, and below each other where not', () => {
  const wide = textOf(groupRows(differing!, 80));
  expect(wide[0]).toBe('Row 4 · 4 answers, mean reward 0.5');
  expect(wide[2]).toMatch(/^Best 1 {2}right 1, brief 0\.5 +Worst 0\.2 {2}right 0, brief 1$/);
  expect(wide[3]).toMatch(/^\{"count":3,"step":20\} +I think$/);
  expect(wide[4]).toMatch(/^ +there are some\.$/);
  const narrow = textOf(groupRows(differing!, 56));
  expect(narrow.slice(2)).toEqual([
    'Best 1  right 1, brief 0.5',
    '{"count":3,"step":20}',
    'Worst 0.2  right 0, brief 1',
    'I think',
    'there are some.',
  ]);
});

it.each([20, 56, 76, 116])('is never wider than %i columns', width => {
  for (const group of shownGroups(sampleAnswers()))
    for (const row of textOf(groupRows({ ...group, prompt: '翻訳 '.repeat(90) }, width)))
      expect(displayWidth(row)).toBeLessThanOrEqual(width);
});

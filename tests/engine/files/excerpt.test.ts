import { expect, it } from 'vitest';
import { excerptOf } from '../../../lib/engine/files/excerpt.js';

const turn = (role: string, content: string, more = {}) => ({ role, content, ...more });
const asked = turn('user', 'one');
const again = turn('user', 'two');
const chat = [turn('system', 's'), asked, turn('assistant', 'a'), again, turn('assistant', 'b')];
const calls = turn('assistant', '', { tool_calls: [1] });

it.each<[Record<string, unknown>, prompt: string, answer: string]>([
  [{ messages: chat }, 'two', 'b'],
  [{ prompt: 'p', completion: 'c' }, 'p', 'c'],
  [{ prompt: [asked], completion: [turn('assistant', 'c')] }, 'one', 'c'],
  [{ instruction: 'add', input: '1 and 2', output: '3' }, 'add 1 and 2', '3'],
  [{ conversations: 7 }, '', '{"conversations":7}'],
  [{ text: 'a\n  b' }, '', 'a b'],
  [{ chosen: 'x' }, '', '{"chosen":"x"}'],
  [{ messages: [null, 7] }, '7', ''],
  [{ messages: [calls] }, '', '{"role":"assistant","tool_calls":[1]}'],
])('an excerpt of %j', (row, prompt, answer) => expect(excerptOf(row)).toEqual({ prompt, answer }));

it('is short, and cuts no character in half', () => {
  const { answer } = excerptOf({ text: `a${'😀'.repeat(500)}` });
  expect(answer.length).toBeLessThanOrEqual(240);
  expect(answer).toMatch(/^a(😀)+…$/u);
});

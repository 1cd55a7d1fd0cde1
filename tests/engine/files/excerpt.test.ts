import { expect, it } from 'vitest';
import { excerptOf } from '../../../lib/engine/files/excerpt.js';

it.each([
  [
    {
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 'a' },
        { role: 'user', content: 'two' },
        { role: 'assistant', content: 'b' },
      ],
    },
    { prompt: 'two', answer: 'b' },
  ],
  [
    { prompt: 'p', completion: 'c' },
    { prompt: 'p', answer: 'c' },
  ],
  [
    { prompt: [{ role: 'user', content: 'p' }], completion: [{ role: 'assistant', content: 'c' }] },
    { prompt: 'p', answer: 'c' },
  ],
  [
    { instruction: 'add', input: '1 and 2', output: '3' },
    { prompt: 'add 1 and 2', answer: '3' },
  ],
  [{ conversations: 7 }, { prompt: '', answer: '{"conversations":7}' }],
  [{ text: 'a\n  b' }, { prompt: '', answer: 'a b' }],
  [{ chosen: 'x' }, { prompt: '', answer: '{"chosen":"x"}' }],
  [{ messages: [null, 7] }, { prompt: '7', answer: '' }],
  [
    { messages: [{ role: 'assistant', content: '', tool_calls: [1] }] },
    { prompt: '', answer: '{"role":"assistant","tool_calls":[1]}' },
  ],
])('an excerpt of %j', (row, excerpt) => expect(excerptOf(row)).toEqual(excerpt));

it('is short, and cuts no character in half', () => {
  const { answer } = excerptOf({ text: `a${'😀'.repeat(500)}` });
  expect(answer.length).toBeLessThanOrEqual(240);
  expect(answer).toMatch(/^a(😀)+…$/u);
});

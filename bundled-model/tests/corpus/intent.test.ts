import { describe, expect, it } from 'vitest';
import { createDraw } from '../../corpus/draw.js';
import { exchange } from '../../corpus/intent.js';
import { createValues } from '../../corpus/values/index.js';

const slots = { order: () => 'A-1', name: () => 'Ada' };

function exchangeOf(ask: string, answers: string[], known = {}) {
  const draw = createDraw('train', 1, 1);
  return exchange(draw, createValues(draw), { asks: [ask, ask, ask], answers }, slots, known);
}

describe('exchange', () => {
  const answers = ['Which order?', 'We look at {order}.', 'Hello {name}, we look at {order}.'];

  it('names only what the question named', () => {
    expect(exchangeOf('Where is my order?', answers).answer).toBe('Which order?');
    expect(exchangeOf('Where is {order}?', answers).answer).toBe('We look at A-1.');
    expect(exchangeOf('{name} here. Where is {order}?', answers).answer).toBe('Hello Ada, we look at A-1.');
  });

  it('keeps values that were named before', () => {
    const { ask, answer, named } = exchangeOf('Where is {order}?', answers, { order: 'B-2' });
    expect([ask, answer, named]).toEqual(['Where is {order}?', 'We look at B-2.', { order: 'B-2' }]);
  });

  it('throws if no answer fits the question', () => {
    expect(() => exchangeOf('Where is it?', ['At {place}.'])).toThrow('No answer fits');
  });
});

import { describe, expect, it } from 'vitest';
import { fill } from '../../corpus/fill.js';

describe('fill', () => {
  it('fills in each value wherever it is named', () => {
    expect(fill('{a} and {b}, {a}', { a: 'one', b: '$& {c}' })).toBe('one and $& {c}, one');
  });

  it('ends a sentence with one full stop when the value brings its own', () => {
    expect(fill('It was on {date}.', { date: '05.12.' })).toBe('It was on 05.12.');
    expect(fill('It was on {date}.', { date: '5 December' })).toBe('It was on 5 December.');
  });

  it('throws if a placeholder has no value', () => {
    expect(() => fill('Where is {order}?', {})).toThrow('No value for {order} in "Where is {order}?".');
    expect(() => fill('{toString}', {})).toThrow('No value for {toString}');
  });
});

import { expect, it } from 'vitest';
import { anyOf } from '../../../lib/engine/text/any-of.js';

it('matches the longest word, taken literally', () => {
  const pattern = new RegExp(anyOf(['<|a|>', '<|a|>+', '(b']), 'g');
  expect('<|a|>+<|a|>(b<a>'.match(pattern)).toEqual(['<|a|>+', '<|a|>', '(b']);
});

it('matches nothing, not even the empty text, where there is no word', () => {
  expect('anything'.search(new RegExp(anyOf([])))).toBe(-1);
});

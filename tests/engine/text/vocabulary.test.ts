import { expect, it } from 'vitest';
import { anyOfPattern } from '../../../lib/engine/text/vocabulary.js';

it('a pattern of tokens matches the longest one, literally', () => {
  const pattern = new RegExp(anyOfPattern(['<|a|>', '<|a|>+', '(b']), 'g');
  expect('<|a|>+<|a|>(b<a>'.match(pattern)).toEqual(['<|a|>+', '<|a|>', '(b']);
});

it('a pattern of no tokens never matches', () => {
  expect('anything'.search(new RegExp(anyOfPattern([])))).toBe(-1);
});

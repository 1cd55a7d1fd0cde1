import { describe, expect, it } from 'vitest';
import { createWordSplitter } from '../../tokenizer/split-words.js';
import { oddTexts } from './sample-model.js';

const split = createWordSplitter(['<|a|>', '<|b|>']);

it.each([
  ['words with the space before them', 'the quick fox', ['the', ' quick', ' fox']],
  ['contractions', "don't we'll I’m", ['don', "'t", ' we', "'ll", ' I', '’m']],
  ['a quoted word, which is not a contraction', "'table'", ["'table", "'"]],
  ['letters with their marks', 'cafe\u0301 नमस्ते', ['cafe\u0301', ' नमस्ते']],
  ['every digit', 'in 1207, x2', ['in', ' ', '1', '2', '0', '7', ',', ' x', '2']],
  ['signs together, with the space before them', 'a == b...', ['a', ' ==', ' b', '...']],
  ['every line break', 'a.\n\nb\r\n', ['a', '.', '\n', '\n', 'b', '\r\n']],
  ['indentation', '\n    a', ['\n', '   ', ' a']],
  ['spaces before a line break and at the end', 'a  \n  ', ['a', '  ', '\n', '  ']],
  ['spaces as Unicode has them', '!\u0085?\u3000!\ufeff?', ['!', '\u0085', '?', '\u3000', '!\ufeff?']],
  ['markers from the text around them', 'a<|b|>b <|a|>', ['a', '<|b|>', 'b', ' ', '<|a|>']],
])('splits %s', (_, text, words) => {
  expect(split(text).filter(word => word !== '')).toEqual(words);
});

describe('any text', () => {
  it.each(Object.entries(oddTexts))('is its words joined again: %s', (_, text) => {
    expect(split(text).join('')).toBe(text);
  });
});

it('splits the header of a turn the same way whatever follows', () => {
  const header = split('assistant\n');
  for (const text of Object.values(oddTexts)) {
    expect(split(`assistant\n${text}`)).toEqual([...header, ...split(text)]);
  }
});

// How texts are split into words, by the steps of tokenizers.
import { describe, expect, it } from 'vitest';
import { createTokenizer } from '../../../lib/engine/text/tokenizer.js';
import { byteCharacters } from '../../../lib/engine/text/vocabulary.js';
import { tinyTokenizer } from '../../support/tiny-tokenizer.js';

/** Words are tokens, and so is each byte, so that a text shows how it was split. */
describe('a text is split', () => {
  const { model, ...content } = tinyTokenizer({ style: 'gpt2' });
  const words = ['!?', 'ab', 'cd', 'abĠ', 'Ġcd', 'abĠcd', '!?cd', 'ĠĠ', '▁▁', '▁ab', '▁'];
  const vocab = Object.fromEntries([...byteCharacters, ...words].map((token, id) => [token, id]));
  const bytes = { type: 'ByteLevel', add_prefix_space: false, use_regex: false };
  function open(step: object, more = {}) {
    const pre_tokenizer = { type: 'Sequence', pretokenizers: [step, bytes] };
    const whole = { ...model, vocab, merges: [], ignore_merges: true };
    const file = { ...content, added_tokens: [], pre_tokenizer, model: whole, ...more };
    return createTokenizer({ path: 'tokenizer.json', content: file });
  }
  const split = (pattern: object, behavior: string, invert = false) => ({
    type: 'Split',
    pattern,
    behavior,
    invert,
  });
  const [space, letters] = [{ String: ' ' }, { Regex: '[a-z]+' }];

  // What Hugging Face's tokenizers do.
  it.each<[string, object, string[]]>([
    ['isolated', split(letters, 'Isolated'), ['ab', 'Ġ', 'cd', '!?']],
    ['isolated the other way round', split(letters, 'Isolated', true), ['ab', 'Ġ', 'cd', '!?']],
    ['at a text that is removed', split(space, 'Removed'), ['ab', 'c', 'd', '!', '?']],
    ['at a pattern that is removed', split(letters, 'Removed'), ['Ġ', '!?']],
    ['with all but a pattern removed', split(letters, 'Removed', true), ['ab', 'cd']],
    ['at each sign', { type: 'Punctuation' }, ['abĠcd', '!', '?']],
    ['at signs', { type: 'Punctuation', behavior: 'Contiguous' }, ['abĠcd', '!?']],
    [
      'in a sequence',
      { type: 'Sequence', pretokenizers: [split(letters, 'Isolated')] },
      ['ab', 'Ġ', 'cd', '!?'],
    ],
  ])('%s', (_, step, expected) => {
    expect(open(step).tokenize('ab cd!?').tokens).toEqual(expected);
  });

  it.each<[boolean | undefined, string[]]>([
    [undefined, ['▁ab', '▁', '▁ab']],
    [true, ['▁ab', '▁', '▁ab']],
    [false, ['▁', 'a', 'b', '▁', '▁', 'a', 'b']],
  ])('at the marks of its spaces, unless that is turned off: %s', (isSplit, expected) => {
    const pre_tokenizer = { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: isSplit };
    expect(open({}, { pre_tokenizer }).tokenize('ab  ab').tokens).toEqual(expected);
  });

  it('nowhere, if it splits at spaces and has none left', () => {
    const normalizer = { type: 'Replace', pattern: space, content: '▁' };
    const pre_tokenizer = split(space, 'MergedWithPrevious');
    const sequence = { type: 'Sequence', normalizers: [{ type: 'NFC' }, normalizer] };
    for (const given of [normalizer, sequence])
      expect(open({}, { normalizer: given, pre_tokenizer }).tokenize(' ').tokens).toEqual(['▁']);
  });

  it.each<[string, object, object?]>([
    ['Split with MergedWithPrevious', split(space, 'MergedWithPrevious')],
    ['Split with MergedWithNext', split(letters, 'MergedWithNext', true)],
    ['Split with Contiguous', split(letters, 'Contiguous')],
    ['Punctuation with Removed', { type: 'Punctuation', behavior: 'Removed' }],
    ['added_tokens with single_word', {}, { added_tokens: [{ id: 0, content: 'a', single_word: true }] }],
    ['BPE with end_of_word_suffix', bytes, { model: { ...model, end_of_word_suffix: '</w>' } }],
  ])('but %s is refused', (what, step, more) => {
    expect(() => open(step, more)).toThrow(`tokenizer.json uses an unsupported feature: ${what}`);
  });
});

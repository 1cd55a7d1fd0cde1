import { Tokenizer as PackageTokenizer } from '@huggingface/tokenizers';
import { describe, expect, it } from 'vitest';
import { readDecodingRules } from '../../../lib/engine/text/decoding-rules.js';
import { createStreamDecoder, type DecodeOptions } from '../../../lib/engine/text/stream-decoder.js';
import { createTokenizer } from '../../../lib/engine/text/tokenizer.js';
import { createRandom } from '../../support/random.js';
import { type Style, type TinyOptions, tinyTokenizer } from '../../support/tiny-tokenizer.js';

const texts = [
  'hello there',
  ' a space before, and one after ',
  'lines\n\nand\ttabs\r\n',
  'Grüße 👋🏽 from 👩‍👩‍👧‍👦 and 🇨🇭',
  '你好，世界。こんにちは 한국어',
  'e\u0301 a\u0323\u0307 नमस्ते ที่',
  'a replacement character, \uFFFD, and \u0000',
  '<|im_start|>user\nhello<|im_end|>',
];

function make(options: TinyOptions) {
  const content = tinyTokenizer(options);
  const file = { path: 'tokenizer.json', content };
  const tokenizer = createTokenizer(file);
  const rules = readDecodingRules(file);
  const oracle = new PackageTokenizer(content, { clean_up_tokenization_spaces: false });
  return {
    tokenizer,
    pieces(ids: number[], how?: DecodeOptions) {
      const stream = createStreamDecoder(tokenizer.vocabulary, rules, how);
      return { pushed: ids.map(id => stream.push(id)), flushed: stream.flush() };
    },
    whole: (ids: number[], skip = false): string => oracle.decode(ids, { skip_special_tokens: skip }),
  };
}

const metaspace = {
  decoder: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: false },
};
const kinds: [string, TinyOptions][] = [
  ...(['gpt2', 'qwen', 'llama'] as Style[]).map((style): [string, TinyOptions] => [style, { style }]),
  ['metaspace', { style: 'llama', tokenizer: metaspace }],
];

describe.each(kinds)('the pieces of %s', (_, options) => {
  const { tokenizer, pieces, whole } = make(options);
  const { size } = tokenizer.vocabulary;

  it.each(texts)("add up to the package's decoding of the whole text: %j", text => {
    const { ids } = tokenizer.tokenize(text);
    const { pushed, flushed } = pieces(ids);
    expect(pushed.join('') + flushed).toBe(whole(ids));
  });

  it("add up to the package's decoding of random IDs", () => {
    const { next } = createRandom(7);
    const random = (below: number) => Math.floor(next() * below);
    for (let round = 0; round < 400; round++) {
      const ids = Array.from({ length: 1 + random(24) }, () => random(random(2) ? 256 : size));
      for (const skipSpecialTokens of [false, true]) {
        const { pushed, flushed } = pieces(ids, { skipSpecialTokens });
        expect(pushed.join('') + flushed, `ids ${ids}`).toBe(
          skipSpecialTokens && ids.every(id => tokenizer.vocabulary.isSpecial(id))
            ? ''
            : whole(ids, skipSpecialTokens),
        );
      }
    }
  });
});

describe.each<Style>(['gpt2', 'llama'])('while a text streams (%s)', style => {
  const { tokenizer, pieces } = make({ style });

  it('no piece contains part of a character, or a replacement character', () => {
    for (const text of texts.filter(text => !text.includes('\uFFFD'))) {
      const { pushed, flushed } = pieces(tokenizer.tokenize(text).ids);
      expect(flushed).toBe('');
      for (const piece of pushed) {
        expect(() => encodeURIComponent(piece)).not.toThrow(); // half a surrogate pair would
        expect(piece).not.toContain('\uFFFD');
      }
    }
  });

  it('complete characters are emitted immediately', () => {
    const { ids } = tokenizer.tokenize('a👋b');
    const { pushed } = pieces(ids);
    expect(pushed.filter(piece => piece !== '')).toEqual(['a', '👋', 'b']);
    expect(pushed[pushed.indexOf('👋') - 1]).toBe('');
  });

  it('bytes that never became a character are replaced when other text follows, or at the end', () => {
    const cut = tokenizer.tokenize('👋').ids.slice(-4, -1);
    const [letter] = tokenizer.tokenize('xa').ids.slice(-1);
    const { pushed, flushed } = pieces([...cut, letter!, ...cut]);
    expect(pushed.join('')).toBe('\uFFFDa');
    expect(flushed).toBe('\uFFFD');
  });
});

it.each<Style>(['gpt2', 'llama'])('a byte order mark is kept, although the package drops it (%s)', style => {
  const { tokenizer, pieces } = make({ style });
  expect(pieces(tokenizer.tokenize('\uFEFFa').ids).pushed.join('')).toBe('\uFEFFa');
});

it('IDs without a token are skipped', () => {
  const { tokenizer, pieces } = make({});
  const [id] = tokenizer.tokenize('h').ids;
  expect(pieces([id!, tokenizer.vocabulary.size + 5, id!]).pushed).toEqual(['h', '', 'h']);
});

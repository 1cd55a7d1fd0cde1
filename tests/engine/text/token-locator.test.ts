import { describe, expect, it } from 'vitest';
import { createTokenLocator } from '../../../lib/engine/text/token-locator.js';
import { createTokenizer, type Tokenizer } from '../../../lib/engine/text/tokenizer.js';
import { createRandom } from '../../support/random.js';
import { chatMarkers, type TinyOptions, tinyTokenizer } from '../../support/tiny-tokenizer.js';

const open = (options: TinyOptions = {}) =>
  createTokenizer({ path: 'tokenizer.json', content: tinyTokenizer(options) });

const pieces = [...chatMarkers, '\n', '\n\n', ' ', 'the answer', 'hello', 'é', '👋🏽', '你好', 'x', '<|im'];

function randomTexts(count: number): string[] {
  const { next } = createRandom(3);
  const random = (below: number) => Math.floor(next() * below);
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + random(12) }, () => pieces[random(pieces.length)]).join(''),
  );
}

const isInsidePair = (text: string, offset: number) => /^[\uDC00-\uDFFF]/.test(text.slice(offset));

describe('with byte-level tokens', () => {
  const tokenizer = open();
  const bytesOf = (token: string) =>
    tokenizer.vocabulary.isAdded(tokenizer.vocabulary.idOf(token)!) ? Buffer.byteLength(token) : token.length;

  it('the token of an offset is the first one that starts at its byte or later', () => {
    for (const text of randomTexts(200)) {
      const tokens = tokenizer.tokenize(text);
      const locate = createTokenLocator(tokenizer, text, tokens);
      const begins = [0];
      for (const token of tokens.tokens) begins.push(begins.at(-1)! + bytesOf(token));
      for (let offset = 0; offset <= text.length; offset++) {
        if (isInsidePair(text, offset)) continue;
        const byte = Buffer.byteLength(text.slice(0, offset));
        expect(locate(offset), `${JSON.stringify(text)} at ${offset}`).toBe(
          begins.findIndex(start => start >= byte),
        );
      }
    }
  });
});

describe('with character tokens and spaces that the tokenizer adds', () => {
  const tokenizer = open({ style: 'llama' });

  it('the token of an offset is the one that starts there', () => {
    const text = '<|im_start|>user\nthe answer<|im_end|>hello';
    const locate = createTokenLocator(tokenizer, text, tokenizer.tokenize(text));
    expect(tokenAt(tokenizer, text, locate(text.indexOf('<|im_end|>')))).toBe('<|im_end|>');
    expect(tokenAt(tokenizer, text, locate(text.indexOf('hello')))).toMatch(/^▁?h/);
    expect(locate(text.length)).toBe(tokenizer.tokenize(text).ids.length);
  });
});

it('a marker that absorbs the spaces before it is found', () => {
  const content = tinyTokenizer();
  const added = content.added_tokens.map(token => ({ ...token, lstrip: true }));
  const tokenizer = createTokenizer({ path: 'x', content: { ...content, added_tokens: added } });
  const text = 'hello   <|im_end|>there';
  const locate = createTokenLocator(tokenizer, text, tokenizer.tokenize(text));
  for (const offset of [6, 7, 8]) expect(tokenAt(tokenizer, text, locate(offset))).toBe('<|im_end|>');
});

it('a marker that appears only after normalization does not shift the result', () => {
  const content = tinyTokenizer({ style: 'qwen' });
  const accent = { id: content.added_tokens.at(-1)!.id + 1, content: 'é', special: false, normalized: true };
  const tokenizer = createTokenizer({
    path: 'x',
    content: { ...content, added_tokens: [...content.added_tokens, accent] },
  });
  const text = 'e\u0301 é<|im_end|>x';
  expect(tokenizer.tokenize(text).tokens).toEqual(['é', 'Ġ', 'é', '<|im_end|>', 'x']);
  const locate = createTokenLocator(tokenizer, text, tokenizer.tokenize(text));
  expect([0, 3, 4, 14].map(locate)).toEqual([0, 2, 3, 4]);
});

function tokenAt(tokenizer: Tokenizer, text: string, index: number): string | undefined {
  return tokenizer.tokenize(text).tokens[index];
}

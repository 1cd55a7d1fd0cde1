// Texts as tokens, and tokens as texts, by tokenizers of several kinds, held against the package's own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer as PackageTokenizer } from '@huggingface/tokenizers';
import { describe, expect, it } from 'vitest';
import { baseModelFolder } from '../../../lib/base-model/index.js';
import { openText } from '../../../lib/engine/text/index.js';
import {
  createStreamDecoder,
  type DecodeOptions,
  readDecodingRules,
} from '../../../lib/engine/text/stream-decoder.js';
import { createTokenLocator } from '../../../lib/engine/text/token-locator.js';
import { createTokenizer } from '../../../lib/engine/text/tokenizer.js';
import { anyOfPattern, byteCharacters, toBytes } from '../../../lib/engine/text/vocabulary.js';
import { chatMarkers, type Style, type TinyOptions, tinyTokenizer } from '../../support/tiny-tokenizer.js';
import { createDraw, openTiny } from './tiny-text.js';

const STYLES: Style[] = ['gpt2', 'qwen', 'llama'];

interface Content {
  model: object;
  [key: string]: unknown;
}

const files: [name: string, content: Content][] = [
  ['the bundled model', JSON.parse(readFileSync(join(baseModelFolder(), 'tokenizer.json'), 'utf8'))],
  ...STYLES.map((style): [string, Content] => [style, tinyTokenizer({ style })]),
  ['a vocabulary without bytes', withModel({ byte_fallback: false, unk_token: '<unk>', fuse_unk: true })],
  ['words that stay whole', withModel({ ignore_merges: true, byte_fallback: false }, 'gpt2')],
];

function withModel(changes: object, style: Style = 'llama'): Content {
  const content = tinyTokenizer({ style, markers: [...chatMarkers, '<unk>'] });
  const { id } = content.added_tokens.at(-1)!;
  const model = { ...content.model, vocab: { ...content.model.vocab, '<unk>': id }, ...changes };
  return { ...content, model };
}

const PARTS = [...'abcdefgh  \n\n\t.,!éü日👋0123\r', 'hello', ' the', ' quick', '<|im_start|>', 'e\u0301'];

describe('a tokenizer', () => {
  it.each(files)('finds the tokens that the package finds, with %s', (_, content) => {
    const theirs = new PackageTokenizer({ normalizer: null, pre_tokenizer: null, ...content }, {});
    const { tokenize } = createTokenizer({ path: 'tokenizer.json', content });
    const below = createDraw(1);
    const choose = (few: number) => PARTS[below(few)]!;
    const texts = Array.from({ length: 500 }, (_, i) =>
      Array.from({ length: i % 60 }, () => choose(i % 3 === 0 ? 2 : PARTS.length)).join(''),
    );
    for (const text of [...texts, ' '.repeat(3001), 'ab'.repeat(2000), 'hello'.repeat(900)]) {
      const { ids, tokens } = theirs.encode(text, { add_special_tokens: false });
      expect(tokenize(text)).toEqual({ ids, tokens });
    }
  });

  it.each([
    [true, ['a', 'Â½', 'Â²', 'b']],
    [false, ['a', 'Â½Â²', 'b']],
  ])('splits off digits of any kind, not only 0 to 9, one by one: %s', (individual_digits, expected) => {
    const { model, ...content } = tinyTokenizer({ style: 'gpt2' });
    const words = ['Â½', 'Â²', 'Â½Â²', 'aÂ½Â²b'];
    const vocab = Object.fromEntries([...byteCharacters, ...words].map((token, id) => [token, id]));
    const bytes = { type: 'ByteLevel', add_prefix_space: false, use_regex: false };
    const pre_tokenizer = { type: 'Sequence', pretokenizers: [{ type: 'Digits', individual_digits }, bytes] };
    const file = { ...content, pre_tokenizer, model: { ...model, vocab, merges: [], ignore_merges: true } };
    expect(createTokenizer({ path: 'tokenizer.json', content: file }).tokenize('a½²b').tokens).toEqual(
      expected,
    );
  });

  // What Hugging Face's tokenizers find in it.
  const tool = { content: '<tool>', special: false, normalized: true };
  it.each([
    ['<tool> x', [['▁<tool>', '<tool>'], '▁', 'x']],
    ['a<tool>b <tool>', ['▁', 'a', '<0x3C>', ...'tool', '<0x3E>', 'b', ['▁<tool>', '<tool>']]],
    ['<|im_end|><tool>x', ['<|im_end|>', ['▁<tool>', '<tool>'], 'x']],
  ])('gives an added token that the normalizer changes its own ID: %s', (said, expected) => {
    const content = tinyTokenizer({ style: 'llama', merges: 0 });
    const { id } = content.added_tokens.at(-1)!;
    const added_tokens = [...content.added_tokens, { ...tool, id: id + 1 }];
    const { tokenize, vocabulary } = openTokenizer({ ...content, added_tokens });
    const pairs = expected.map(token => (typeof token === 'string' ? [token, token] : token));
    expect(tokenize(said).tokens).toEqual(pairs.map(([written]) => written));
    expect(tokenize(said).ids).toEqual(pairs.map(([, name]) => vocabulary.idOf(name!)));
  });

  it('throws for a token without an ID, instead of giving it none', () => {
    const { tokenize } = openTokenizer(tinyTokenizer({ style: 'llama' }));
    expect(() => tokenize('the')).not.toThrow();
    const content = withModel({ byte_fallback: false, unk_token: '<none>' });
    const other = createTokenizer({ path: 'tokenizer.json', content });
    expect(() => other.tokenize('日')).toThrow('tokenizer.json has the token "<none>" without an ID.');
  });

  it.each([' ', 'a', '\n', 'a ', '👋'])(
    'reads half a million characters, %j again and again, in many pieces, and is never below what it has promised',
    one => {
      const [[, content]] = files as [(typeof files)[0]];
      const { tokenizeInPieces } = createTokenizer({ path: 'tokenizer.json', content });
      const reading = tokenizeInPieces(one.repeat(500_000 / one.length));
      const promised: number[] = [];
      let piece = reading.next();
      for (; !piece.done; piece = reading.next()) promised.push(piece.value);
      expect(promised.length).toBeGreaterThan(15);
      expect(promised[0]).toBeGreaterThan(1000);
      expect(Math.max(...promised)).toBeLessThanOrEqual(piece.value.ids.length);
    },
  );
});

describe.each(STYLES)('of %s', async style => {
  const { encode, bytesOf, minTokenCount } = await openTiny({ style });

  it('the bytes of tokens add up to the text', () => {
    const sentence = 'Hello there, the naïve 🦊 says:\n<|im_end|>';
    const bytes = Buffer.concat(encode(sentence).map(bytesOf));
    expect(bytes.toString().replace(/^ /, '')).toBe(sentence);
    expect(bytesOf(99_999)).toHaveLength(0);
  });

  it('the minimum number of tokens is never more than the actual number', () => {
    const repeated = [' '.repeat(500), 'Hello there. '.repeat(100), '🦊'.repeat(100), 'e\u0301'.repeat(100)];
    for (const text of ['', 'a', ...repeated])
      expect(minTokenCount(text.length)).toBeLessThanOrEqual(encode(text).length);
    expect(minTokenCount(1e6)).toBeGreaterThan(1e3);
  });
});

it('the bytes of a token may be part of a character', async () => {
  const { encode, bytesOf } = await openTiny({ style: 'llama' });
  const parts = encode('🦊').map(id => [...bytesOf(id)]);
  expect(parts.slice(-4)).toEqual([[0xf0], [0x9f], [0xa6], [0x8a]]);
});

it('the minimum number of tokens is exact for the longest token, where no character gets lost on the way', async () => {
  const { decode, encode, minTokenCount, vocabSize } = await openText(baseModelFolder());
  const texts = Array.from({ length: vocabSize }, (_, id) => decode([id]));
  const text = texts.reduce((most, text) => (text.length > most.length ? text : most)).repeat(100);
  expect(minTokenCount(text.length)).toBe(encode(text).length);
});

describe('the alphabet of bytes', () => {
  it('has a unique character for every byte, none of them a space', () => {
    expect(new Set(byteCharacters).size).toBe(256);
    expect([...toBytes(byteCharacters.join(''))]).toEqual(Array.from({ length: 256 }, (_, byte) => byte));
    for (const character of byteCharacters) expect(character).toMatch(/^[^\s\p{C}]$/u);
  });

  it('writes letters as themselves, a space as Ġ and a newline as Ċ', () => {
    expect(Array.from(Buffer.from('a é\n'), byte => byteCharacters[byte]).join('')).toBe('aĠÃ©Ċ');
  });

  it('leaves a token in other characters as its own text', () => {
    expect(Buffer.from(toBytes('日é')).toString()).toBe('日é');
  });
});

it('a pattern of tokens matches the longest one, literally, and never if there are none', () => {
  const pattern = new RegExp(anyOfPattern(['<|a|>', '<|a|>+', '(b']), 'g');
  expect('<|a|>+<|a|>(b<a>'.match(pattern)).toEqual(['<|a|>+', '<|a|>', '(b']);
  expect('anything'.search(new RegExp(anyOfPattern([])))).toBe(-1);
});

const openTokenizer = (content = tinyTokenizer()) => createTokenizer({ path: 'tokenizer.json', content });

const fragments = [
  ...chatMarkers,
  '\n',
  '\n\n',
  ' ',
  'the answer',
  'hello',
  'é',
  '👋🏽',
  '你好',
  'x',
  '<|im',
];

function randomTexts(count: number): string[] {
  const random = createDraw(3);
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + random(12) }, () => fragments[random(fragments.length)]).join(''),
  );
}

const isInsidePair = (text: string, offset: number) => /^[\uDC00-\uDFFF]/.test(text.slice(offset));

function locateIn(tokenizer: ReturnType<typeof openTokenizer>, text: string) {
  const found = tokenizer.tokenize(text);
  const locate = createTokenLocator(tokenizer, text, found);
  return { tokens: found.tokens, locate, tokenAt: (offset: number) => found.tokens[locate(offset)] };
}

describe('the token of an offset', () => {
  it('is the first one that starts at its byte or later, or is around it, with byte-level tokens', () => {
    const tokenizer = openTokenizer();
    const { isAdded, idOf } = tokenizer.vocabulary;
    const bytesOf = (token: string) => (isAdded(idOf(token)!) ? Buffer.byteLength(token) : token.length);
    for (const text of randomTexts(200)) {
      const { tokens, locate } = locateIn(tokenizer, text);
      const begins = [0];
      for (const token of tokens) begins.push(begins.at(-1)! + bytesOf(token));
      for (let offset = 0; offset <= text.length; offset++) {
        if (isInsidePair(text, offset)) continue;
        const byte = Buffer.byteLength(text.slice(0, offset));
        const wanted = begins.findIndex(start => start >= byte);
        const around = begins.findLastIndex(start => start <= byte);
        expect(locate(offset), `${JSON.stringify(text)} at ${offset}`).toBe(wanted);
        expect(locate(offset, true), `${JSON.stringify(text)} around ${offset}`).toBe(around);
      }
    }
  });

  it('is the one that starts there, with character tokens and spaces that the tokenizer adds', () => {
    const text = '<|im_start|>user\nthe answer<|im_end|>hello';
    const { tokens, locate, tokenAt } = locateIn(openTokenizer(tinyTokenizer({ style: 'llama' })), text);
    expect(tokenAt(text.indexOf('<|im_end|>'))).toBe('<|im_end|>');
    expect(tokenAt(text.indexOf('hello'))).toMatch(/^▁?h/);
    expect(locate(text.length)).toBe(tokens.length);
  });

  it('is a marker that absorbs the spaces before it', () => {
    const content = tinyTokenizer();
    const added_tokens = content.added_tokens.map(token => ({ ...token, lstrip: true }));
    const { tokenAt } = locateIn(openTokenizer({ ...content, added_tokens }), 'hello   <|im_end|>there');
    expect([6, 7, 8].map(tokenAt)).toEqual(Array(3).fill('<|im_end|>'));
  });

  it('is not shifted by a marker that appears only after normalization', () => {
    const content = tinyTokenizer({ style: 'qwen' });
    const { id } = content.added_tokens.at(-1)!;
    const accent = { id: id + 1, content: 'é', special: false, normalized: true };
    const tokenizer = openTokenizer({ ...content, added_tokens: [...content.added_tokens, accent] });
    const { tokens, locate } = locateIn(tokenizer, 'e\u0301 é<|im_end|>x');
    expect(tokens).toEqual(['é', 'Ġ', 'é', '<|im_end|>', 'x']);
    expect([0, 3, 4, 14].map(at => locate(at))).toEqual([0, 2, 3, 4]);
  });
});

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

const written = ({ pushed, flushed }: { pushed: string[]; flushed: string }) => pushed.join('') + flushed;

const decoder = { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: false };
const kinds: [string, TinyOptions][] = [
  ...STYLES.map((style): [string, TinyOptions] => [style, { style }]),
  ['metaspace', { style: 'llama', tokenizer: { decoder } }],
];

describe.each(kinds)('the pieces of %s', (_, options) => {
  const { tokenizer, pieces, whole } = make(options);
  const { size } = tokenizer.vocabulary;

  it.each(texts)("add up to the package's decoding of the whole text: %j", text => {
    const { ids } = tokenizer.tokenize(text);
    expect(written(pieces(ids))).toBe(whole(ids));
  });

  it("add up to the package's decoding of random IDs", () => {
    const random = createDraw(7);
    for (let round = 0; round < 400; round++) {
      const ids = Array.from({ length: 1 + random(24) }, () => random(random(2) ? 256 : size));
      for (const skipSpecialTokens of [false, true]) {
        const isNothing = skipSpecialTokens && ids.every(tokenizer.vocabulary.isSpecial);
        const wanted = isNothing ? '' : whole(ids, skipSpecialTokens);
        expect(written(pieces(ids, { skipSpecialTokens })), `ids ${ids}`).toBe(wanted);
      }
    }
  });
});

it.each(kinds)(
  'the pieces of a text after another one keep the space between both, with %s',
  (_, options) => {
    const { tokenizer, pieces, whole } = make(options);
    const { ids } = tokenizer.tokenize('hello the quick fox');
    for (let at = 1; at < ids.length; at++)
      expect(whole(ids.slice(0, at)) + written(pieces(ids.slice(at), { continues: true }))).toBe(whole(ids));
  },
);

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
    const { pushed } = pieces(tokenizer.tokenize('a👋b').ids);
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

  it('a byte order mark is kept, although the package drops it', () => {
    expect(pieces(tokenizer.tokenize('\uFEFFa').ids).pushed.join('')).toBe('\uFEFFa');
  });
});

it('IDs without a token are skipped', () => {
  const { tokenizer, pieces } = make({});
  const [id] = tokenizer.tokenize('h').ids;
  expect(pieces([id!, tokenizer.vocabulary.size + 5, id!]).pushed).toEqual(['h', '', 'h']);
});

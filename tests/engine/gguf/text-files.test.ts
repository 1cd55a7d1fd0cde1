// The tokenizer and the chat template of a GGUF file, beside those that its metadata was made from.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFacts, readGgufHeader } from '../../../lib/engine/gguf/read-header.js';
import { learnMerges } from '../../../lib/engine/gguf/score-merges.js';
import { toTextFiles } from '../../../lib/engine/gguf/to-text-files.js';
import { type ModelText, openText } from '../../../lib/engine/text/index.js';
import { createTokenizer } from '../../../lib/engine/text/tokenizer.js';
import { byteCharacters } from '../../../lib/engine/text/vocabulary.js';
import type { Metadata } from '../../support/gguf-of-model.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { chatMarkers, chatmlTemplate, type Style, tinyTokenizer } from '../../support/tiny-tokenizer.js';
import { encodeGguf } from '../../support/write-gguf.js';
import { openTiny } from '../text/tiny-text.js';

/** The files in a folder. */
async function toFiles(metadata: Metadata): Promise<{ folder: string; files: Record<string, unknown> }> {
  const folder = temporaryFolder('svc-gguf');
  const path = join(folder, 'model.gguf');
  writeFileSync(path, encodeGguf(Object.entries(metadata)));
  const files = toTextFiles(path, readFacts(await readGgufHeader(path)), 100_000);
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), JSON.stringify(content));
  return { folder, files };
}

const open = async (metadata: Metadata) => openText((await toFiles(metadata)).folder);

/** The metadata that llama.cpp's converter makes from a tokenizer. */
function describeTokenizer(style: Style): Metadata {
  const { model, added_tokens: added } = tinyTokenizer({ style });
  const ordered = Object.entries(model.vocab).sort(([, a], [, b]) => a - b);
  const tokens = [...ordered.map(([token]) => token), ...added.map(({ content }) => content)];
  const kindOf = (token: string) => (chatMarkers.includes(token) ? 3 : /^<0x..>$/.test(token) ? 6 : 1);
  const merged = model.merges.map(pair => pair.join(''));
  const common: Metadata = {
    'tokenizer.ggml.tokens': tokens,
    'tokenizer.ggml.token_type': { int32s: tokens.map(kindOf) },
    'tokenizer.ggml.eos_token_id': { uint32: tokens.indexOf('<|endoftext|>') },
    'tokenizer.chat_template': chatmlTemplate,
  };
  if (style === 'gpt2')
    return {
      ...common,
      'tokenizer.ggml.model': 'gpt2',
      'tokenizer.ggml.pre': 'gpt-2',
      'tokenizer.ggml.merges': model.merges.map(pair => pair.join(' ')),
    };
  return {
    ...common,
    'tokenizer.ggml.model': 'llama',
    'tokenizer.ggml.add_bos_token': false,
    'tokenizer.ggml.scores': { float32s: tokens.map(token => -1 - (merged.indexOf(token) + 1 || 1000)) },
  };
}

const TEXTS = [
  'The quick brown fox says hello, hello there.',
  ' two  spaces, and <|im_start|>user\nWhat is the answer?<|im_end|>\n',
  'naïve 中文 🙂 \u0000\u007f',
  '',
];

describe.each(['gpt2', 'llama'] as const)('a tokenizer in the style of %s', style => {
  it('makes the same tokens of texts and chats, and the same texts of them', async () => {
    const [theirs, ours] = [await openTiny({ style }), await open(describeTokenizer(style))];
    for (const text of TEXTS) {
      const ids = theirs.encode(text);
      expect(ours.encode(text)).toEqual(ids);
      expect(ours.decode(ids)).toBe(theirs.decode(ids));
    }
    const messages = [{ role: 'user', content: 'hello' }];
    const rendered = (text: ModelText) =>
      text.encode(text.renderChat(messages, { addGenerationPrompt: true }));
    expect(rendered(ours)).toEqual(rendered(theirs));
    expect(ours.endIds).toEqual(theirs.endIds);
  });
});

it('the markers of Phi-3 swallow the spaces after them, but for those that do not in its own tokenizer', async () => {
  const described = describeTokenizer('llama');
  const text = 'hello<|im_end|> \n hello<|endoftext|> hello';
  const phi3 = await open({ ...described, 'general.architecture': 'phi3' });
  const other = await open(described);
  expect(phi3.encode(text)).toEqual(other.encode('hello<|im_end|>hello<|endoftext|> hello'));
  const byteLevel = await open({ ...describeTokenizer('gpt2'), 'general.architecture': 'phi3' });
  expect(byteLevel.encode(text)).toEqual((await open(describeTokenizer('gpt2'))).encode(text));
});

describe('a file that does not say how it splits', () => {
  const { 'tokenizer.ggml.pre': _, ...silent } = describeTokenizer('gpt2');

  it.each<[Metadata, string]>([
    [{ 'general.architecture': 'qwen2' }, 'qwen2'],
    [{ 'general.architecture': 'llama', 'llama.vocab_size': { uint32: 128_256 } }, 'llama-bpe'],
  ])('is read as the models of its time with %j', async (model, name) => {
    const { files } = await toFiles({ ...silent, ...model });
    expect(files).toEqual((await toFiles({ ...silent, ...model, 'tokenizer.ggml.pre': name })).files);
  });

  it('is refused otherwise', async () => {
    const read = toFiles({ ...silent, 'general.architecture': 'llama' });
    await expect(read).rejects.toThrow('does not say how it splits text');
  });
});

const golden = JSON.parse(readFileSync(new URL('../../golden/gguf/words.json', import.meta.url), 'utf8')) as {
  texts: string[];
  words: Record<string, string[][]>;
};

it.each(Object.keys(golden.words))('words are split as by the tokenizer %s', async name => {
  const every = [...new Set([...byteCharacters, ...golden.words[name]!.flat()])];
  const { files } = await toFiles({
    'tokenizer.ggml.model': 'gpt2',
    'tokenizer.ggml.pre': name,
    'tokenizer.ggml.add_bos_token': false,
    'tokenizer.ggml.tokens': every,
  });
  const content = files['tokenizer.json'] as { model: object };
  // Each word is a token, so the tokens are the words.
  const whole = { ...content, normalizer: null, model: { ...content.model, ignore_merges: true } };
  const { tokenize } = createTokenizer({ path: 'tokenizer.json', content: whole });
  expect(golden.texts.map(text => tokenize(text).tokens)).toEqual(golden.words[name]);
});

describe('the merges of scored tokens', () => {
  const learn = (tokens: string[], scores: number[], most?: number) => {
    const ids = new Map(tokens.map((token, id) => [token, id]));
    return learnMerges({ tokens, ids, scores }, [...tokens.keys()], most);
  };

  it('are those of the best tokens first', () => {
    const [tokens, scores] = [
      ['a', 'aa', 'aaa', 'b', 'ab'],
      [0, -1, -2, -3, 0],
    ];
    const merges = [
      ['a', 'b'],
      ['a', 'a'],
      ['aa', 'a'],
      ['a', 'aa'],
    ];
    expect(learn(tokens, scores)).toEqual(merges);
    expect(learn(tokens, scores, 3)).toBeNull();
  });

  it('are refused if tokens consist of each other in more ways than those of real vocabularies', () => {
    const runsOf = (letters: number) =>
      Array.from({ length: letters }, (_, letter) =>
        Array.from({ length: 256 }, (_, i) => String.fromCodePoint(0x4e00 + letter).repeat(i + 1)),
      ).flat();
    const [few, many] = [runsOf(2), runsOf(3)];
    expect(learn(few, Array(few.length).fill(0))).toHaveLength((2 * 255 * 256) / 2);
    expect(learn(many, Array(many.length).fill(0))).toBeNull();
  });
});

describe('the settings of a text', () => {
  const tokens = ['<s>', '</s>', '<end>', '<0x0A>', '▁', 'a', '▁a', '  '];
  const base: Metadata = {
    'tokenizer.ggml.model': 'llama',
    'tokenizer.ggml.tokens': tokens,
    'tokenizer.ggml.scores': { float32s: [0, 0, 0, 0, -3, -2, -1, 0] },
    'tokenizer.ggml.token_type': { int32s: [3, 3, 3, 6, 1, 1, 1, 4] },
    'tokenizer.ggml.bos_token_id': { uint32: 0 },
    'tokenizer.ggml.eos_token_id': { uint32: 1 },
    'tokenizer.ggml.eot_token_id': { uint32: 2 },
  };
  const encode = (text: ModelText, string: string) => text.encode(string, { addSpecialTokens: true });

  it('frame it, end it and sample it as the file says', async () => {
    const sampling: Metadata = {
      'general.sampling.temp': { float32: 0.5 },
      'general.sampling.top_p': { float32: 0.25 },
    };
    const text = await open({ ...base, ...sampling });
    expect(encode(text, 'a\n')).toEqual([0, 6, 3]);
    expect(text.endIds).toEqual([1, 2]);
    expect(text.sampling).toEqual({ temperature: 0.5, topP: 0.25 });
    const other = await open({
      ...base,
      'tokenizer.ggml.add_bos_token': false,
      'tokenizer.ggml.add_eos_token': true,
    });
    expect(encode(other, 'a')).toEqual([6, 1]);
  });

  it('put no space before it if the file says so, and match its own tokens first', async () => {
    const text = await open({ ...base, 'tokenizer.ggml.add_space_prefix': false });
    expect(encode(text, 'a  a a')).toEqual([0, 5, 7, 5, 6]);
    expect(text.decode([5, 7, 5, 6])).toBe('a  a a');
    expect(text.decode([0, 5], { skipSpecialTokens: true })).toBe('a');
  });

  it('have a template of their own for tools', async () => {
    const both: Metadata = {
      'tokenizer.chat_template': 'plain',
      'tokenizer.chat_template.tool_use': 'with {{ tools | tojson }} in <tool_call>',
    };
    const text = await open({ ...base, ...both });
    expect(text.renderChat([])).toBe('plain');
    const tools = [{ type: 'function', function: { name: 'f' } }];
    expect(text.renderChat([], { tools })).toContain('with');
    expect((await open(base)).hasChatTemplate).toBe(false);
  });
});

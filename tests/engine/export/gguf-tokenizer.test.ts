// The tokenizer and chat template of a model in a GGUF file, read back as llama.cpp has them.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { addsBos, tokenizerMetadata } from '../../../lib/engine/export/gguf-tokenizer.js';
import { findSplitName, ggufHeader } from '../../../lib/engine/gguf/index.js';
import { readFacts, readGgufHeader } from '../../../lib/engine/gguf/read-header.js';
import { learnMerges } from '../../../lib/engine/gguf/score-merges.js';
import { toTextFiles } from '../../../lib/engine/gguf/to-text-files.js';
import { openText } from '../../../lib/engine/text/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { makeTextFolder, type TinyOptions, tinyTokenizer } from '../../support/tiny-tokenizer.js';

const ROWS = 1000;

async function textFolder(options: TinyOptions): Promise<string> {
  const folder = await makeTextFolder(options);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The facts in a GGUF file, and the text files that are read from it. */
async function writeAndRead(folder: string) {
  const place = temporaryFolder('svc-gguf');
  const path = join(place, 'model.gguf');
  writeFileSync(path, ggufHeader(await tokenizerMetadata(folder, ROWS), []));
  const header = await readGgufHeader(path);
  for (const [name, content] of Object.entries(toTextFiles(path, readFacts(header), ROWS)))
    writeFileSync(join(place, name), JSON.stringify(content));
  return { metadata: header.metadata, text: await openText(place) };
}

/** As SentencePiece's tokenizers are converted: with every pair that makes a token. */
function sentencePiece() {
  const tokenizer = tinyTokenizer({ style: 'llama' });
  const { model } = tokenizer;
  const ranks = new Map(model.merges.map((pair, rank) => [pair.join(''), rank]));
  const ids = new Map(Object.entries(model.vocab));
  const tokens = [...ids.keys()].sort((a, b) => ids.get(a)! - ids.get(b)!);
  const scores = tokens.map(token => -(ranks.get(token) ?? 1e6));
  const merges = learnMerges({ tokens, ids, scores }, [...tokens.keys()])!;
  return { ...tokenizer, model: { ...model, merges } };
}

const TEXTS = [
  'The quick brown fox says hello, hello there.',
  ' two  spaces, and <|im_start|>user\nWhat is the answer?<|im_end|>\n',
  'naïve 中文 🙂 \u0000\u007f',
  '',
];

it.each<[string, TinyOptions]>([
  ['gpt2', { style: 'gpt2' }],
  ['llama', { tokenizer: sentencePiece() }],
])('a tokenizer in the style of %s makes the same tokens of texts and chats', async (kind, options) => {
  const config = { bos_token: '<|im_start|>', pad_token: '<|endoftext|>' };
  const folder = await textFolder({ ...options, config });
  const [ours, { metadata, text }] = [await openText(folder), await writeAndRead(folder)];
  expect(metadata.get('tokenizer.ggml.model')).toBe(kind);
  expect(metadata.get('tokenizer.ggml.tokens')).toHaveLength(ROWS);
  expect(metadata.get('tokenizer.ggml.add_bos_token')).toBe(false);
  for (const given of TEXTS) {
    const ids = ours.encode(given);
    expect(text.encode(given)).toEqual(ids);
    expect(text.decode(ids)).toBe(ours.decode(ids));
  }
  const messages = [{ role: 'user', content: 'hello' }];
  expect(text.renderChat(messages)).toBe(ours.renderChat(messages));
  expect(text.endIds).toEqual(ours.endIds);
  const { eosToken, bosToken, padToken } = text.facts;
  expect({ eosToken, bosToken, padToken }).toEqual({
    eosToken: '<|endoftext|>',
    bosToken: '<|im_start|>',
    padToken: '<|endoftext|>',
  });
});

it('rows without a token are unused, and tokens without a row are left out', async () => {
  const folder = await textFolder({ merges: 0 });
  const of = async (rows: number) => {
    const { 'tokenizer.ggml.tokens': tokens, 'tokenizer.ggml.token_type': kinds } = await tokenizerMetadata(
      folder,
      rows,
    );
    return [tokens!.value, kinds!.value] as [string[], number[]];
  };
  const [tokens, kinds] = await of(261);
  expect(tokens.slice(256)).toEqual(['<|endoftext|>', '<|im_start|>', '<|im_end|>', '[PAD259]', '[PAD260]']);
  expect(kinds.slice(255)).toEqual([1, 3, 3, 3, 5, 5]);
  expect((await of(257))[0].at(-1)).toBe('<|endoftext|>');
});

it.each([
  [{ model: 'gpt2', pre: 'tekken' }, true],
  [{ model: 'gpt2', pre: 'tekken', add_bos_token: false }, false],
  [{ model: 'gpt2', pre: 'qwen2' }, false],
  [{ model: 'llama' }, true],
])('llama.cpp begins texts with a token: %j, %s', (facts, adds) => {
  const metadata = Object.entries(facts).map(([name, value]) => [`tokenizer.ggml.${name}`, { value }]);
  expect(addsBos(Object.fromEntries(metadata))).toBe(adds);
});

it('a template for tools is kept', async () => {
  const named = (name: string) => ({ name, template: `{{ messages[0].content }} ${name}` });
  const folder = await textFolder({ config: { chat_template: [named('default'), named('tool_use')] } });
  const { chatTemplate, toolTemplate } = (await writeAndRead(folder)).text.facts;
  expect([chatTemplate, toolTemplate]).toEqual([named('default').template, named('tool_use').template]);
});

it.each([
  ['<|im_start|>', '<|endoftext|>'],
  ['<|endoftext|>', '<|endoftext|>'],
])('texts begin with %s if they do in the model, but do not end with %s', async (bos, eos) => {
  const { id } = tinyTokenizer({}).added_tokens.find(({ content }) => content === bos)!;
  const single = [{ SpecialToken: { id: bos, type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }];
  const special_tokens = { [bos]: { id: bos, ids: [id], tokens: [bos] } };
  const folder = await textFolder({
    config: { bos_token: bos, eos_token: eos },
    tokenizer: { post_processor: { type: 'TemplateProcessing', single, pair: single, special_tokens } },
  });
  const { text, metadata } = await writeAndRead(folder);
  const flags = ['bos', 'eos'].map(name => metadata.get(`tokenizer.ggml.add_${name}_token`));
  expect(flags).toEqual([true, false]);
  expect(text.encode('a', { addSpecialTokens: true })).toEqual([id, ...text.encode('a')]);
});

it.each([
  [{ type: 'Metaspace', replacement: '▁', prepend_scheme: 'never', split: false }, false],
  [{ type: 'Metaspace', replacement: '▁', prepend_scheme: 'first', split: false }, true],
])('a space comes before texts as %j says', async (words, adds) => {
  const tokenizer = { ...sentencePiece(), normalizer: null, pre_tokenizer: words };
  const metadata = await tokenizerMetadata(await textFolder({ tokenizer }), ROWS);
  expect(metadata['tokenizer.ggml.add_space_prefix']!.value).toBe(adds);
});

/** `abc` is made of `a` and `bc` only, though `ab` is a token as well. */
function leavesOut() {
  const tokenizer = tinyTokenizer({ style: 'llama', sample: 'xyz', merges: 0 });
  const { model } = tokenizer;
  const more = ['Ω', 'Ψ', 'Φ', 'ΩΨ', 'ΨΦ', 'ΩΨΦ'];
  const vocab = Object.fromEntries([...Object.keys(model.vocab), ...more].map((token, id) => [token, id]));
  const merges = ['Ψ Φ', 'Ω Ψ', 'Ω ΨΦ'];
  return { ...tokenizer, added_tokens: [], model: { ...model, vocab, merges } };
}

it.each<[string, TinyOptions]>([
  ['splits texts by another pattern', { style: 'qwen' }],
  [
    'splits texts at spaces',
    { tokenizer: { ...sentencePiece(), normalizer: null, pre_tokenizer: { type: 'Metaspace' } } },
  ],
  ['leaves out a pair that makes a token', { markers: ['Ω'], tokenizer: leavesOut() }],
])('a tokenizer that %s is refused', async (_, options) => {
  const folder = await textFolder(options);
  await expect(tokenizerMetadata(folder, ROWS)).rejects.toThrow(
    'tokenizer.json: cannot be written as GGUF: llama.cpp has no tokenizer that splits texts in the same way.',
  );
});

const split = (Regex: string) => ({
  type: 'Split',
  pattern: { Regex },
  behavior: 'Isolated',
  invert: false,
});
const LLAMA3 = String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`;
const BYTES = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true };

const sequence = (...pretokenizers: object[]) => ({ type: 'Sequence', pretokenizers });
const splitBy = (pattern: string) => sequence(split(pattern), { ...BYTES, use_regex: false });
const QWEN2 = LLAMA3.replace('{1,3}', '');

it.each<[string | undefined, object]>([
  ['gpt-2', { pre_tokenizer: BYTES }],
  ['smollm', { pre_tokenizer: sequence({ type: 'Digits', individual_digits: true }, BYTES) }],
  ['llama-bpe', { model: { ignore_merges: true }, pre_tokenizer: splitBy(LLAMA3) }],
  ['smaug-bpe', { model: { ignore_merges: false }, pre_tokenizer: splitBy(LLAMA3) }],
  ['qwen2', { normalizer: { type: 'NFC' }, pre_tokenizer: splitBy(QWEN2) }],
  [undefined, { normalizer: { type: 'NFD' }, pre_tokenizer: splitBy(QWEN2) }],
  [undefined, { pre_tokenizer: { ...BYTES, add_prefix_space: true } }],
])('a way to split texts has the name %s', (name, tokenizer) => {
  expect(findSplitName(tokenizer)).toBe(name);
});

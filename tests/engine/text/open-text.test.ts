import { describe, expect, it } from 'vitest';
import { TextError } from '../../../lib/engine/text/index.js';
import { chatMarkers, type TinyOptions, tinyTokenizer } from '../../support/tiny-tokenizer.js';
import { openPlain, openTiny, user } from './tiny-text.js';

const plain = await openTiny();
const openGenerating = (config: object) => openTiny({ files: { 'generation_config.json': config } });

describe('a model folder', () => {
  it('defines its markers, and the tokens that end generation', async () => {
    const text = await openTiny({
      config: { eos_token: { content: '<|im_end|>' }, bos_token: null },
      files: { 'generation_config.json': { eos_token_id: [0, 1, 2] } },
    });
    const [, , endOfTurn] = chatMarkers.map(marker => text.encode(marker)[0]);
    expect(text.endIds).toEqual([endOfTurn, 0, 1, 2]);
    expect(text.vocabSize).toBe(endOfTurn! + 1);
  });

  it('may name a single end token, which does not end a turn, in generation_config.json', async () => {
    const [endOfText, , endOfTurnId] = chatMarkers.map(marker => plain.encode(marker)[0]);
    const text = await openGenerating({ eos_token_id: 7 });
    expect(text).toMatchObject({ endIds: [endOfText, 7, endOfTurnId] });
  });

  it.each([
    [{ do_sample: false, temperature: 0.7 }, { temperature: 0 }],
    [
      { do_sample: true, temperature: 0.7, top_p: 0.8 },
      { temperature: 0.7, topP: 0.8 },
    ],
    [{ temperature: 0.6 }, { temperature: 0.6 }],
    [{ temperature: '1', top_p: 1.5 }, {}],
    [{}, {}],
  ])('defines sampling defaults, without invalid ones: %j', async (given, sampling) => {
    expect((await openGenerating(given)).sampling).toEqual(sampling);
    expect(plain.sampling).toEqual({});
  });

  it('adds special tokens around a text only if requested', async () => {
    const single = [
      { SpecialToken: { id: '<|im_start|>', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
    ];
    const post_processor = { type: 'TemplateProcessing', single, pair: [], special_tokens: {} };
    const { encode, decode } = await openTiny({ tokenizer: { post_processor } });
    const [bare, start] = [encode('hello'), encode('<|im_start|>')];
    expect(encode('hello', { addSpecialTokens: true })).toEqual([...start, ...bare]);
    expect(encode('', { addSpecialTokens: true })).toEqual(start);
    expect(decode(bare)).toBe('hello');
  });

  it('decodes exactly, with and without markers', async () => {
    const { encode, decode } = await openTiny({ config: { clean_up_tokenization_spaces: true } });
    const ids = encode('hello , there !<|im_end|>');
    expect(decode(ids)).toBe('hello , there !<|im_end|>');
    expect(decode(ids, { skipSpecialTokens: true })).toBe('hello , there !');
    expect(decode([])).toBe('');
    expect(decode(encode('é').slice(0, 1))).toBe('\uFFFD');
  });

  it('leaves out only special markers', async () => {
    const { added_tokens, model } = tinyTokenizer();
    const thought = { id: Object.keys(model.vocab).length + 3, content: '<think>', special: false };
    const text = await openTiny({ tokenizer: { added_tokens: [...added_tokens, thought] } });
    const ids = text.encode('<think>hello<|im_end|>');
    expect(ids[0]).toBe(thought.id);
    expect(text.decode(ids, { skipSpecialTokens: true })).toBe('<think>hello');
  });
});

describe('a chat template', () => {
  const messages = [user('hello')];

  it("renders a conversation, and the header of the assistant's turn", () => {
    const rendered = '<|im_start|>user\nhello<|im_end|>\n';
    expect(plain.renderChat(messages)).toBe(rendered);
    const prompt = plain.renderChat(messages, { addGenerationPrompt: true });
    expect(prompt).toBe(`${rendered}<|im_start|>assistant\n`);
  });

  it('is read from chat_template.jinja before tokenizer_config.json', async () => {
    const text = await openTiny({ files: { 'chat_template.jinja': 'file: {{ messages[0].content }}' } });
    expect(text.renderChat(messages)).toBe('file: hello');
  });

  it('receives markers by name, variables, and joined text parts', async () => {
    const template =
      '{{ bos_token + eos_token + messages[0].role + messages[0].content + color }}{{ tools is none }}';
    const content = ['hello ', 'there'].map(text => ({ type: 'text' as const, text }));
    const text = await openTiny({ template });
    const written = text.renderChat([{ role: 'developer', content }], { variables: { color: 'red' } });
    expect(written).toBe('<|endoftext|>systemhello thereredTrue');
  });

  it('may be absent', async () => {
    const text = await openPlain();
    expect(text).toMatchObject({ hasChatTemplate: false });
    expect(() => text.renderChat(messages)).toThrow(/has no chat template/);
  });

  it('reports why it rejects a conversation', async () => {
    const text = await openTiny({ template: "{{ raise_exception('users must take turns') }}" });
    expect(() => text.renderChat(messages)).toThrow(/tokenizer_config.json.*users must take turns/);
  });

  it.each([
    ['no role', { content: 'x' }, /messages\[0\] has no role/],
    ['an image', { role: 'user', content: [{ type: 'image_url' }] }, /messages\[0\].content\[0\].*only text/],
    ['a number', { role: 'user', content: 3 }, /messages\[0\].content is neither/],
  ])('never receives a message with %s', (_, wrong, reason) => {
    expect(() => plain.renderChat([wrong] as never)).toThrow(reason);
  });
});

describe('an unusable folder is rejected with the file and the reason', () => {
  const file = (name: string, content: unknown): TinyOptions => ({ files: { [name]: content } });
  const words = { ...tinyTokenizer(), model: { type: 'WordPiece', vocab: {} } };
  const post_processor = { type: 'TemplateProcessing', single: [{ SpecialToken: { id: '<nope>' } }] };
  const withToken = (id: unknown) => ({
    tokenizer: { added_tokens: [...tinyTokenizer().added_tokens, { id, content: '<far>', special: true }] },
  });
  const unsupported = 'tokenizer.json uses an unsupported feature: ';

  it.each<[reason: RegExp | string, options: TinyOptions]>([
    ['tokenizer.json is missing', file('tokenizer.json', null)],
    ['tokenizer_config.json is missing', file('tokenizer_config.json', null)],
    ['tokenizer.json is not JSON', file('tokenizer.json', '{')],
    ['generation_config.json is not a JSON object', file('generation_config.json', [])],
    ['tokenizer.json has a WordPiece model; only BPE', file('tokenizer.json', words)],
    [new RegExp(`${unsupported}.*Mystery`), { tokenizer: { pre_tokenizer: { type: 'Mystery' } } }],
    [new RegExp(`${unsupported}.*post_processor names a token`), { tokenizer: { post_processor } }],
    [/tokenizer\.json has an unsupported decoder .*CTC/, { tokenizer: { decoder: { type: 'CTC' } } }],
    ['tokenizer.json: the ID of the token "<far>" is not a whole number', withToken(2 ** 32 - 2)],
    ['tokenizer.json: the ID of the token "<far>" is not a whole number', withToken(-1)],
    ['tokenizer.json: the ID of the token "<far>" is not a whole number', withToken('7')],
    ['tokenizer_config.json: eos_token "<nope>"', { config: { eos_token: '<nope>' } }],
    ['config.json does not parse: it ends before', { template: '{% for m in messages %}x' }],
    [/jinja does not parse: .*unknown/, file('chat_template.jinja', '{% unknown %}')],
  ])('%s', async (reason, options) => {
    const opening = openTiny(options);
    await expect(opening).rejects.toThrow(reason);
    await expect(opening).rejects.toBeInstanceOf(TextError);
    await expect(opening).rejects.toThrow(/svc-text-/);
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { openText, TextError } from '../../../lib/engine/text/index.js';
import {
  chatMarkers,
  makeTextFolder,
  removeFolder,
  type TinyOptions,
  tinyTokenizer,
} from '../../support/tiny-tokenizer.js';

let folder = '';
afterEach(() => removeFolder(folder));

async function open(options: TinyOptions = {}) {
  folder = await makeTextFolder(options);
  return openText(folder);
}

describe('a model folder', () => {
  it('defines its markers, and the tokens that end generation', async () => {
    const text = await open({
      config: { eos_token: { content: '<|im_end|>' }, bos_token: null, pad_token: '<|endoftext|>' },
      files: { 'generation_config.json': { eos_token_id: [0, 1, 2] } },
    });
    const [endOfText, , endOfTurn] = chatMarkers.map(marker => text.encode(marker)[0]);
    expect(text.eosIds).toEqual([endOfTurn, 0, 1, 2]);
    expect(text).toMatchObject({ bosId: undefined, padId: endOfText, endOfTurnId: endOfTurn });
    expect(text.vocabSize).toBe(endOfTurn! + 1);
  });

  it('may name a single end token, and the padding token only in generation_config.json', async () => {
    const text = await open({
      files: { 'generation_config.json': { eos_token_id: 7, pad_token_id: 9 } },
    });
    expect(text.eosIds).toEqual([text.encode('<|endoftext|>')[0], 7]);
    expect(text.padId).toBe(9);
  });

  it('defines sampling defaults; invalid ones are ignored', async () => {
    const samplingOf = async (generation: object | undefined) => {
      const text = await open(generation && { files: { 'generation_config.json': generation } });
      await removeFolder(folder);
      return text.sampling;
    };
    expect(await samplingOf({ do_sample: false, temperature: 0.7 })).toEqual({ temperature: 0 });
    expect(await samplingOf({ do_sample: true, temperature: 0.7, top_p: 0.8 })).toEqual({
      temperature: 0.7,
      topP: 0.8,
    });
    expect(await samplingOf({ temperature: 0.6 })).toEqual({ temperature: 0.6 });
    expect(await samplingOf({ temperature: '1', top_p: 1.5 })).toEqual({});
    expect(await samplingOf({})).toEqual({});
    expect(await samplingOf(undefined)).toEqual({});
  });

  it('defines the end-of-turn token, even if it is not the end-of-text token', async () => {
    const text = await open();
    expect(text.eosIds).not.toContain(text.endOfTurnId);
    expect(text.endOfTurnId).toBe(text.encode('<|im_end|>')[0]);
  });

  it('adds special tokens around a text only if requested', async () => {
    const single = [
      { SpecialToken: { id: '<|im_start|>', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
    ];
    const text = await open({
      tokenizer: { post_processor: { type: 'TemplateProcessing', single, pair: [], special_tokens: {} } },
    });
    const bare = text.encode('hello');
    expect(text.encode('hello', { addSpecialTokens: true })).toEqual([
      ...text.encode('<|im_start|>'),
      ...bare,
    ]);
    expect(text.decode(bare)).toBe('hello');
    expect(text.encode('', { addSpecialTokens: true })).toEqual(text.encode('<|im_start|>'));
  });

  it('decodes exactly, with and without markers', async () => {
    const text = await open({ config: { clean_up_tokenization_spaces: true } });
    const ids = text.encode('hello , there !<|im_end|>');
    expect(text.decode(ids)).toBe('hello , there !<|im_end|>');
    expect(text.decode(ids, { skipSpecialTokens: true })).toBe('hello , there !');
    expect(text.decode([])).toBe('');
    expect(text.decode(text.encode('é').slice(0, 1))).toBe('\uFFFD');
  });

  it('leaves out only special markers', async () => {
    const { added_tokens, model } = tinyTokenizer();
    const thought = { id: Object.keys(model.vocab).length + 3, content: '<think>', special: false };
    const text = await open({ tokenizer: { added_tokens: [...added_tokens, thought] } });
    const ids = text.encode('<think>hello<|im_end|>');
    expect(ids[0]).toBe(thought.id);
    expect(text.decode(ids, { skipSpecialTokens: true })).toBe('<think>hello');
  });
});

describe('a chat template', () => {
  const messages = [{ role: 'user', content: 'hello' }];
  const rendered = '<|im_start|>user\nhello<|im_end|>\n';

  it("renders a conversation, and the header of the assistant's turn", async () => {
    const text = await open();
    expect(text.renderChat(messages)).toBe(rendered);
    expect(text.renderChat(messages, { addGenerationPrompt: true })).toBe(
      `${rendered}<|im_start|>assistant\n`,
    );
  });

  it('is read from chat_template.jinja before tokenizer_config.json', async () => {
    const text = await open({ files: { 'chat_template.jinja': 'file: {{ messages[0].content }}' } });
    expect(text.renderChat(messages)).toBe('file: hello');
  });

  it('receives markers by name, variables, and joined text parts', async () => {
    const text = await open({
      template:
        '{{ bos_token + eos_token + messages[0].role + messages[0].content + color }}{{ tools is none }}',
    });
    const parts = [
      { type: 'text' as const, text: 'hello ' },
      { type: 'text' as const, text: 'there' },
    ];
    const written = text.renderChat([{ role: 'developer', content: parts }], { variables: { color: 'red' } });
    expect(written).toBe('<|endoftext|>systemhello thereredtrue');
  });

  it('may be absent', async () => {
    const text = await open({ config: { chat_template: undefined } });
    expect(text.hasChatTemplate).toBe(false);
    expect(text.endOfTurnId).toBeUndefined();
    expect(() => text.renderChat(messages)).toThrow(/has no chat template/);
  });

  it('reports why it rejects a conversation', async () => {
    const text = await open({ template: "{{ raise_exception('users and assistants must take turns') }}" });
    expect(() => text.renderChat(messages)).toThrow(
      /tokenizer_config.json.*users and assistants must take turns/,
    );
  });

  it.each([
    ['no role', [{ content: 'x' }], /messages\[0\] has no role/],
    [
      'an image',
      [{ role: 'user', content: [{ type: 'image_url' }] }],
      /messages\[0\].content\[0\].*only text/,
    ],
    ['a number', [{ role: 'user', content: 3 }], /messages\[0\].content is neither/],
  ])('never receives a message with %s', async (_, wrong, reason) => {
    const text = await open();
    expect(() => text.renderChat(wrong as never)).toThrow(reason);
  });
});

describe('an unusable folder is rejected with the file and the reason', () => {
  const bare = tinyTokenizer();
  it.each<[string, TinyOptions, RegExp]>([
    ['no tokenizer.json', { files: { 'tokenizer.json': null } }, /tokenizer\.json is missing/],
    [
      'no tokenizer_config.json',
      { files: { 'tokenizer_config.json': null } },
      /tokenizer_config\.json is missing/,
    ],
    ['a file that is not JSON', { files: { 'tokenizer.json': '{' } }, /tokenizer\.json is not JSON/],
    [
      'a file that is not an object',
      { files: { 'generation_config.json': [] } },
      /generation_config\.json is not a JSON object/,
    ],
    [
      'a tokenizer of another kind',
      { files: { 'tokenizer.json': { ...bare, model: { type: 'WordPiece', vocab: {} } } } },
      /tokenizer\.json has a WordPiece model; only BPE/,
    ],
    [
      'an unknown pre-tokenizer',
      { tokenizer: { pre_tokenizer: { type: 'Mystery' } } },
      /tokenizer\.json uses an unsupported feature: .*Mystery/,
    ],
    [
      'a post-processor with an unknown token',
      {
        tokenizer: {
          post_processor: { type: 'TemplateProcessing', single: [{ SpecialToken: { id: '<nope>' } }] },
        },
      },
      /tokenizer\.json uses an unsupported feature: .*post_processor names a token/,
    ],
    [
      'an unknown decoder',
      { tokenizer: { decoder: { type: 'CTC' } } },
      /tokenizer\.json has an unsupported decoder .*CTC/,
    ],
    [
      'an unknown end-of-text token',
      { config: { eos_token: '<nope>' } },
      /tokenizer_config\.json: eos_token "<nope>"/,
    ],
    [
      'a template that ends too early',
      { template: '{% for m in messages %}x' },
      /config\.json does not parse: it ends before/,
    ],
    [
      'a template with an unknown tag',
      { files: { 'chat_template.jinja': '{% unknown %}' } },
      /jinja does not parse: .*unknown/,
    ],
  ])('%s', async (_, options, reason) => {
    const opening = open(options);
    await expect(opening).rejects.toThrow(reason);
    await expect(opening).rejects.toBeInstanceOf(TextError);
    await expect(opening).rejects.toThrow(folder);
  });
});

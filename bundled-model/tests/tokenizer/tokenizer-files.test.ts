import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelText, openText } from '../../../lib/engine/text/index.js';
import { createRandom } from '../../../tests/support/random.js';
import { makeTextFolder, removeFolder } from '../../../tests/support/tiny-tokenizer.js';
import { endOfText, toTokenizerFiles, trainBpe, turnEnd, turnStart } from '../../tokenizer/index.js';
import { openPackage } from './open-package.js';
import { oddTexts, sampleModel, sampleTexts } from './sample-model.js';

// biome-ignore lint/suspicious/noExplicitAny: files as others read them
const read = (name: 'tokenizer.json' | 'tokenizer_config.json'): any => toTokenizerFiles(sampleModel)[name];

describe('the files of a model', () => {
  it('are the same bytes for the same texts', () => {
    const again = trainBpe(sampleTexts, { vocabulary: 340 });
    expect(JSON.stringify(toTokenizerFiles(again))).toBe(JSON.stringify(toTokenizerFiles(sampleModel)));
  });

  it('number the tokens from 0 without gaps', () => {
    const ids = Object.values<number>(read('tokenizer.json').model.vocab).sort((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: 340 }, (_, id) => id));
  });

  it('have the result of each merge in the vocabulary', () => {
    const { vocab, merges } = read('tokenizer.json').model;
    expect(merges.filter(([left, right]: [string, string]) => !(left + right in vocab))).toEqual([]);
    expect(merges).toHaveLength(340 - 264);
  });

  it('add the special tokens under their ids in the vocabulary', () => {
    const { added_tokens, model } = read('tokenizer.json');
    const { added_tokens_decoder } = read('tokenizer_config.json');
    expect(added_tokens).toHaveLength(8);
    for (const { id, ...token } of added_tokens) {
      expect(model.vocab[token.content]).toBe(id);
      expect(added_tokens_decoder[id]).toEqual(token);
      expect(token).toMatchObject({ special: true, normalized: false, lstrip: false, rstrip: false });
    }
  });

  it('have every key that strict readers require', () => {
    const { pre_tokenizer, decoder, ...rest } = read('tokenizer.json');
    const keys = ['type', 'add_prefix_space', 'trim_offsets', 'use_regex'];
    expect(Object.keys(pre_tokenizer.pretokenizers[1])).toEqual(keys);
    expect(Object.keys(decoder)).toEqual(keys);
    expect(Object.keys(pre_tokenizer.pretokenizers[0])).toEqual(['type', 'pattern', 'behavior', 'invert']);
    expect(rest).toMatchObject({ version: '1.0', normalizer: null, post_processor: null });
  });

  it('define the ends of texts and turns, and the maximum length of a text', () => {
    expect(read('tokenizer_config.json')).toMatchObject({
      tokenizer_class: 'PreTrainedTokenizerFast',
      bos_token: null,
      eos_token: '<|im_end|>',
      pad_token: '<|endoftext|>',
      clean_up_tokenization_spaces: false,
      model_max_length: 1024,
    });
    const longer = toTokenizerFiles(sampleModel, { maxLength: 2048 });
    expect(longer['tokenizer_config.json']).toMatchObject({ model_max_length: 2048 });
  });
});

describe('the tokenizer package', () => {
  const tokenizer = openPackage(sampleModel);

  it('has the same ids for the tokens', () => {
    expect([...tokenizer.get_vocab().keys()]).toEqual(sampleModel.tokens);
  });

  it('decodes what it encodes', () => {
    const text = `${Object.values(oddTexts).join('|')} , it 's .`;
    expect(tokenizer.decode(tokenizer.encode(text).ids)).toBe(text);
  });

  it('leaves out special tokens on request', () => {
    const { ids } = tokenizer.encode('<|im_start|>the dog<|im_end|><|reserved_0|>');
    expect(ids).toHaveLength(3 + tokenizer.encode('the dog').ids.length);
    expect(tokenizer.decode(ids, { skip_special_tokens: true })).toBe('the dog');
  });
});

describe('our engine', () => {
  let folder: string;
  let text: ModelText;
  beforeAll(async () => {
    folder = await makeTextFolder({ files: toTokenizerFiles(sampleModel) });
    text = await openText(folder);
  });
  afterAll(() => removeFolder(folder));

  it('knows the special tokens and the vocabulary size', () => {
    expect(text).toMatchObject({ vocabSize: 340, endIds: [2] });
    expect(sampleModel.specials.slice(0, 3)).toEqual([endOfText, turnStart, turnEnd]);
  });

  it.each(Object.entries(oddTexts))('gives back %s', (_, odd) => {
    expect(text.decode(text.encode(odd))).toBe(odd);
  });

  it('decodes any Unicode characters that it encodes, with tokens of the vocabulary', () => {
    const random = createRandom(7);
    const character = () => {
      const limit = [0x80, 0x250, 0x3100, 0x1_1000, 0x11_0000][Math.floor(random.next() * 5)]!;
      const code = Math.floor(random.next() * limit);
      return code >= 0xd800 && code < 0xe000 ? ' ' : String.fromCodePoint(code);
    };
    for (let round = 0; round < 50; round++) {
      const any = Array.from({ length: 60 }, character).join('');
      const ids = text.encode(any);
      expect(text.decode(ids)).toBe(any);
      expect(ids.every(id => id >= 8 && id < 340)).toBe(true);
    }
  });

  it('writes each digit as one token', () => {
    const tokens = text.encode('1207').map(id => sampleModel.tokens[id]);
    expect(tokens).toEqual(['1', '2', '0', '7']);
  });

  it('adds nothing around a text', () => {
    expect(text.encode('the', { addSpecialTokens: true })).toEqual(text.encode('the'));
  });
});

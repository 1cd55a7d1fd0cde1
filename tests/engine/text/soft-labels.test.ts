// What a teacher expected, in the tokens of a model: where both have the same tokens, and what is said where not.
import { describe, expect, it } from 'vitest';
import type { RowOptions } from '../../../lib/engine/text/encode-row.js';
import type { ModelText, SoftLabels } from '../../../lib/engine/text/index.js';
import { assistant, openPlain, openTiny, user } from './tiny-text.js';

const text = await openTiny();

type Piece = string | number[];
type Named = [Piece, number];

/** A token's text, or its bytes if they are only a part of a character. */
function pieceOf(of: ModelText, id: number): Piece {
  const bytes = of.bytesOf(id);
  const written = new TextDecoder().decode(bytes);
  return written.includes('�') ? [...bytes] : written;
}

/** The tokens of an answer, each with a probability of one half. */
const tokensOf = (answer: string, of = text): Named[][] =>
  of.encode(answer).map(id => [[pieceOf(of, id), Math.log(0.5)]]);

const rowOf = (answer: string, logprobs: unknown) => ({
  messages: [user('hello'), assistant('hi'), user('the answer?'), assistant(answer)],
  logprobs,
});

const encode = (row: unknown, options: RowOptions = {}, of = text) =>
  of.encodeRow(row, { soft: true, ...options });

/** Of each token: its text, then those of the entries with their probabilities. */
function show({ ids }: { ids: Int32Array }, soft: SoftLabels | undefined) {
  if (!soft) return null;
  return Array.from(soft.ends, (end, i) => {
    const from = i === 0 ? 0 : soft.ends[i - 1]!;
    const entries = Array.from(soft.ids.subarray(from, end), (id, at) => [
      text.decode([id]),
      Number(soft.shares[from + at]!.toFixed(4)),
    ]);
    return [text.decode([ids[soft.first + i]!]), ...entries];
  });
}

const shown = (row: unknown, options?: RowOptions) => {
  const encoded = encode(row, options);
  return show(encoded, encoded.soft);
};

describe('a distribution', () => {
  it('is that of the last answer, whatever else is learned', () => {
    const logprobs = tokensOf('the dog é!');
    logprobs[0]!.push(['a', Math.log(0.25)], [' dog', Math.log(0.125)]);
    // A byte of a character, a mark, and a token twice.
    logprobs.at(-1)!.push([[0xc3], Math.log(0.125)], ['<|im_end|>', Math.log(0.25)], ['a', -3], ['a', -3]);
    const row = rowOf('the dog é!', logprobs);
    const found = shown(row)!;
    expect(found.map(([token]) => token).join('')).toHaveLength('the dog ??!'.length);
    expect(found[0]).toEqual(['t', ['t', 0.5], ['a', 0.25], [' dog', 0.125]]);
    expect(found.at(-1)).toEqual(['!', ['!', 0.5], ['�', 0.125], ['<|im_end|>', 0.25], ['a', 0.0996]]);
    expect(shown(row, { trainOn: 'all' })).toEqual(found);
    expect(shown({ ...row, logprobs: JSON.stringify(logprobs) })).toEqual(found);
    const { soft, ids } = encode(row);
    expect(text.decode(ids.subarray(0, soft!.first))).toMatch(/assistant\n$/);
  });

  it('is that of the answer after a thought without words, which the teacher may not have had', async () => {
    const template =
      '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}' +
      '{% if add_generation_prompt %}<|im_start|>assistant\n<think>\n{% endif %}{#- </think> -#}';
    const thinking = await openTiny({ template });
    for (const thought of ['', '</think>\n\n']) {
      const { ids, soft } = encode(rowOf('yes', tokensOf(`${thought}yes`, thinking)), {}, thinking);
      const from = thinking.decode(ids.subarray(soft!.first));
      expect([from, soft!.ends.length]).toEqual([
        `${thought}yes<|im_end|>\n`,
        thinking.encode(`${thought}yes`).length,
      ]);
    }
  });

  it('may be that of the mark that ends the answer, too', () => {
    const end: Named[] = [['<|im_end|>', Math.log(0.9)]];
    expect(shown(rowOf('yes', [...tokensOf('yes'), end]))!.at(-1)).toEqual([
      '<|im_end|>',
      ['<|im_end|>', 0.9],
    ]);
    const nothing: Named[] = [['', Math.log(0.9)]];
    const unnamed = shown(rowOf('yes', [...tokensOf('yes'), nothing]))!;
    expect(unnamed).toEqual(shown(rowOf('yes', tokensOf('yes'))));
  });

  it('is that of the tokens before the first that the teacher wrote in another way', () => {
    const split: Named[][] = [' ', 'd', 'o', 'g'].map(piece => [[piece, Math.log(0.5)]]);
    const others = [...tokensOf('the'), ...split];
    expect(shown(rowOf('the dog', others))).toEqual([
      ['t', ['t', 0.5]],
      ['he', ['he', 0.5]],
    ]);
    const end: Named[] = [['<|im_end|>', -1]];
    expect(shown(rowOf('the dog', [...others, end]))).toHaveLength(2);
    const joined = [[['he', -1] as Named], ...tokensOf(' dog')];
    expect(shown(rowOf('he dog', joined))).toHaveLength(2);
    const { soft } = encode(rowOf('he dog', [[['h', -1]], [['e', -1]], ...tokensOf(' dog')]));
    expect(soft).toMatchObject({ ends: new Int32Array(), ids: new Int32Array() });
  });

  it('is not read unless it is asked for, and may be missing', () => {
    expect(text.encodeRow(rowOf('yes', 'nonsense')).soft).toBeUndefined();
    expect(encode(rowOf('yes', null)).soft).toBeUndefined();
    expect(encode({ messages: [user('a'), assistant('b')] }).soft).toBeUndefined();
  });

  it('is cut off with its row', () => {
    const row = rowOf('the dog', tokensOf('the dog'));
    const { ids, soft } = encode(row);
    const cut = encode(row, { maxLength: soft!.first + 1 });
    expect([cut.ids.length, show(cut, cut.soft)!.length]).toEqual([soft!.first + 1, 1]);
    expect(encode(row, { maxLength: soft!.first }).soft).toBeUndefined();
    expect(encode(row, { maxLength: ids.length - 1 }).soft).toEqual(soft);
  });

  it('belongs to a completion without a chat template', async () => {
    const plain = await openPlain();
    const row = { prompt: 'the answer is:', completion: 'yes', logprobs: tokensOf('yes', plain) };
    const { ids, soft } = encode(row, {}, plain);
    expect(plain.decode(ids.subarray(soft!.first))).toBe('yes<|endoftext|>');
    expect(soft!.ends).toHaveLength(plain.encode('yes').length);
  });
});

/** The tokens of `the dog`. */
const DOG: Named[][] = [[['t', -1]], [['he', -1]], [[' dog', -1]]];

describe('a row is refused', () => {
  const other =
    'a distribution can only be learned from a teacher with the same tokenizer; without `soft`, answers alone are learned, from any teacher';
  it.each<[string, Named[][], string]>([
    [
      'if a token is another one',
      [...DOG.slice(0, 2), [[' cat', -1]]],
      `token 3 of its answer is " cat" for the teacher, and " dog" for this model; ${other}`,
    ],
    [
      'if the text goes on within a token',
      [...DOG.slice(0, 2), [[' ', -1]], [['d', -1]]],
      'token 3 of its answer is " " for the teacher, and " dog" for this model',
    ],
    [
      'if this model does not have a token that the teacher wrote',
      [[['the d', -1]], [['o', -1]], [['g', -1]]],
      `the teacher names "the d" as token 1 of its answer, which is not a token of this model; ${other}`,
    ],
    [
      'if tokens are missing',
      DOG.slice(0, 2),
      'token 3 of its answer is none for the teacher, and " dog" for',
    ],
    [
      'if there are more',
      [...DOG, [['!', -1]]],
      'token 4 of its answer is "!" for the teacher, and "<|im_end|>" for this model',
    ],
    [
      'if there are more than the row has tokens',
      [...DOG, [['<|im_end|>', -1]], [['!', -1]]],
      'token 5 of its answer is "!" for the teacher, and none for this model',
    ],
    [
      'if this model does not have an alternative',
      [
        [
          ['t', -1],
          [' Quixote', -2],
        ],
        ...DOG.slice(1),
      ],
      `the teacher names " Quixote" as token 1 of its answer, which is not a token of this model; ${other}`,
    ],
    [
      'if there are too many alternatives',
      [[['t', -1], ...Array.from({ length: 21 }, (): Named => ['a', -9])]],
      'logprobs[0] has 21 tokens besides its own; 20 is the most',
    ],
    [
      'if it is none',
      [[['t', 0.5]]],
      'logprobs[0] is not a list of tokens with their log-probabilities, such as',
    ],
    ['if a token is none', [[[[300], -1]]], 'logprobs[0] is not a list of tokens'],
    ['if a token has no entries', [[]], 'logprobs[0] is not a list of tokens'],
  ])('%s', (_, logprobs, message) => {
    expect(() => encode(rowOf('the dog', logprobs), { file: 'a.jsonl', row: 7 })).toThrow(message);
  });

  it('if it is no list', () => {
    expect(() => encode(rowOf('yes', {}))).toThrow('logprobs is not a list');
    expect(() => encode(rowOf('yes', '['))).toThrow('logprobs is not valid JSON');
  });
});

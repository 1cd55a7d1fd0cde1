import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer as PackageTokenizer } from '@huggingface/tokenizers';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../lib/engine/random.js';
import { createTokenizer } from '../../../lib/engine/text/tokenizer.js';
import { chatMarkers, type Style, tinyTokenizer } from '../../support/tiny-tokenizer.js';

const bundled = join(import.meta.dirname, '../../../lib/base-model/files/tokenizer.json');

interface Content {
  model: object;
  [key: string]: unknown;
}

const files: [name: string, content: Content][] = [
  ['the bundled model', JSON.parse(readFileSync(bundled, 'utf8'))],
  ...(['gpt2', 'qwen', 'llama'] satisfies Style[]).map((style): [string, Content] => [
    style,
    tinyTokenizer({ style }),
  ]),
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
    const { next } = createRandom(1);
    const choose = (few: number) => PARTS[Math.floor(next() * few)]!;
    const texts = Array.from({ length: 500 }, (_, i) =>
      Array.from({ length: i % 60 }, () => choose(i % 3 === 0 ? 2 : PARTS.length)).join(''),
    );
    for (const text of [...texts, ' '.repeat(3001), 'ab'.repeat(2000), 'hello'.repeat(900)]) {
      const { ids, tokens } = theirs.encode(text, { add_special_tokens: false });
      expect(tokenize(text)).toEqual({ ids, tokens });
    }
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

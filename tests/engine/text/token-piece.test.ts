import { rm } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { baseModelFolder } from '../../../lib/base-model/index.js';
import { openText } from '../../../lib/engine/text/index.js';
import { makeTextFolder, type Style } from '../../support/tiny-tokenizer.js';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function open(style: Style) {
  const folder = await makeTextFolder({ style });
  folders.push(folder);
  return openText(folder);
}

describe('the bytes of tokens', () => {
  it.each<Style>(['gpt2', 'qwen', 'llama'])('add up to the text (%s)', async style => {
    const { encode, bytesOf } = await open(style);
    const sentence = 'Hello there, the naïve 🦊 says:\n<|im_end|>';
    const bytes = Buffer.concat(encode(sentence).map(bytesOf));
    expect(bytes.toString().replace(/^ /, '')).toBe(sentence);
  });

  it('may be part of a character', async () => {
    const { encode, bytesOf } = await open('llama');
    const parts = encode('🦊').map(id => [...bytesOf(id)]);
    expect(parts.slice(-4)).toEqual([[0xf0], [0x9f], [0xa6], [0x8a]]);
  });

  it('are empty for an ID without a token', async () => {
    expect((await open('gpt2')).bytesOf(99_999)).toHaveLength(0);
  });
});

describe('the minimum number of tokens', () => {
  it('is exact for the longest token, where no character gets lost on the way', async () => {
    const { decode, encode, minTokenCount, vocabSize } = await openText(baseModelFolder());
    const texts = Array.from({ length: vocabSize }, (_, id) => decode([id]));
    const longest = texts.reduce((most, text) => (text.length > most.length ? text : most));
    const text = longest.repeat(100);
    expect(minTokenCount(text.length)).toBe(encode(text).length);
  });

  it.each<Style>(['gpt2', 'qwen', 'llama'])('is never more than the actual number (%s)', async style => {
    const { encode, minTokenCount } = await open(style);
    for (const text of [
      '',
      'a',
      ' '.repeat(500),
      'Hello there. '.repeat(100),
      '🦊'.repeat(100),
      'e\u0301'.repeat(100),
    ])
      expect(minTokenCount(text.length)).toBeLessThanOrEqual(encode(text).length);
    expect(minTokenCount(1e6)).toBeGreaterThan(1e3);
  });
});

import { describe, expect, it } from 'vitest';
import { createEncoder, tokensPerWord, trainBpe } from '../../tokenizer/index.js';
import { openPackage } from './open-package.js';
import { oddTexts, sampleModel, sampleTexts } from './sample-model.js';

const encode = createEncoder(sampleModel);

describe('encoding', () => {
  const reader = openPackage(sampleModel);

  it.each(Object.entries(oddTexts))('gives the same ids as readers of the files, with %s', (_, text) => {
    expect(encode(text)).toEqual(reader.encode(text).ids);
  });

  it('gives the same ids for the training texts, with special tokens between them', () => {
    const text = sampleTexts.join('<|im_end|><|reserved_2|>');
    expect(encode(text)).toEqual(reader.encode(text).ids);
    expect(encode('<|im_start|>')).toEqual([1]);
  });

  it('applies merges in the order they were learned', () => {
    const model = trainBpe(['bc bc bc bc', 'ab ab ab'], { vocabulary: 266 });
    expect(createEncoder(model)('abc').map(id => model.tokens[id])).toEqual(['a', 'bc']);
  });
});

describe('tokens per word', () => {
  it('divides the tokens of all texts by their words', () => {
    const bytes = trainBpe([], { vocabulary: 264 });
    expect(tokensPerWord(bytes, ['ab cd', ' é\n'])).toBe((5 + 4) / 3);
  });

  it('falls as the vocabulary grows', () => {
    const small = trainBpe(sampleTexts, { vocabulary: 300 });
    expect(tokensPerWord(sampleModel, sampleTexts)).toBeLessThan(tokensPerWord(small, sampleTexts));
  });
});

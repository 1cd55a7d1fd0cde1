// How large the passes on a GPU are: nothing may exceed its buffers or its memory.
import { expect, it } from 'vitest';
import { type ModelConfig, parseModelConfig } from '../../../../lib/engine/model/index.js';
import {
  assertPassFits,
  devicePassTokens,
  logitsAtOnce,
  passFits,
  smallerPass,
} from '../../../../lib/engine/train/device/limits.js';
import { packExamples, toPass } from '../../../../lib/engine/train/packing.js';

const config = parseModelConfig(
  {
    model_type: 'llama',
    hidden_size: 576,
    num_hidden_layers: 30,
    num_attention_heads: 9,
    num_key_value_heads: 3,
    intermediate_size: 1536,
    vocab_size: 49152,
    rms_norm_eps: 1e-5,
    max_position_embeddings: 8192,
  },
  'config.json',
);
const GiB = 2 ** 30;

it.each([
  ['as large as is of use', 80, 1, 2048, 8192],
  ['what half of the memory beside the weights has room for', 8, 1, 2048, 1024],
  ['what the scores of its longest line leave', 80, 1, 8192, 2048],
  ['but never useless', 0.1, 1, 2048, 256],
])('a pass is %s', (_, memory, largest, longest, tokens) => {
  const limits = { memory: memory * GiB, largestTensor: largest * GiB };
  expect(devicePassTokens(config, longest, limits)).toBe(tokens);
});

it.each([
  [49_152, 4096, 49_152],
  [49_152, 8192, 24_576],
  [262_144, 8192, 32_768],
  [50_257, 3000, 50_257],
  [151_936, 3000, 75_968],
])(
  'the logits of a vocabulary of %i for %i labels are computed for %i tokens at once',
  (vocabulary, labels, part) => {
    const limits = { memory: GiB, largestTensor: GiB };
    expect(logitsAtOnce(vocabulary, labels, limits)).toBe(part);
    expect(4 * part * labels).toBeLessThanOrEqual(GiB);
  },
);

it.each([
  [8192, 4096],
  [1290, 512],
  [512, 256],
  [511, null],
])('after a pass of %i tokens, the next smaller one has %s', (tokens, smaller) => {
  expect(smallerPass(tokens)).toBe(smaller);
});

/** The lines of each pass, if a buffer has room for so many numbers. */
function packInto(config: ModelConfig, lengths: readonly number[], numbers: number) {
  const rows = lengths.map(length => ({ ids: new Int32Array(length), supervised: new Uint8Array(length) }));
  const limits = { passTokens: 8192, lineTokens: 2048 };
  const fits = passFits(config, { largestTensor: 4 * numbers });
  const passes = packExamples(rows, { ...limits, passFits: fits });
  expect(packExamples(rows, limits)).toHaveLength(1);
  const placed = passes.flat(2).map(({ ids }) => ids.length);
  expect(placed.sort((a, b) => b - a)).toEqual(lengths);
  return passes.map(lines => toPass(lines, 1).lines);
}

it('rows share a pass only if their attention fits', () => {
  const most = 2 * 2048 ** 2;
  const passes = packInto(config, [2048, 1500, 1500, 1500, 1500], 9 * most);
  for (const { count, length } of passes) expect(count * length ** 2).toBeLessThanOrEqual(most);
});

it('rows share a pass only if the states of their delta rules fit, of which short rows have as many', () => {
  const withDelta = parseModelConfig(
    {
      ...{ model_type: 'qwen3_5_text', hidden_size: 1024, num_hidden_layers: 4, vocab_size: 248_320 },
      ...{ num_attention_heads: 8, num_key_value_heads: 2, intermediate_size: 3584 },
      ...{ linear_num_value_heads: 16, rms_norm_eps: 1e-6, max_position_embeddings: 8192 },
    },
    'config.json',
  );
  const ofChunk = 16 * 128 * 128;
  const passes = packInto(withDelta, Array<number>(256).fill(4), 64 * ofChunk);
  expect(passes).toEqual(Array(4).fill({ count: 64, length: 4 }));
  // A token of long lines has a part of a state, but half of the pass.
  const limits = { memory: 80 * GiB, largestTensor: GiB / 8 };
  expect(devicePassTokens(withDelta, 512, limits)).toBe(4096);
  expect(devicePassTokens({ ...withDelta, mixers: config.mixers }, 512, limits)).toBe(8192);
});

it('a pass whose attention would exceed a buffer is refused', () => {
  const row = (length: number) => ({
    ids: new Int32Array(length),
    supervised: Array.from({ length }, (_, i) => i === 1),
  });
  const check = (length: number) => () =>
    assertPassFits(toPass([[row(length)]], 1), config, { largestTensor: GiB });
  expect(check(5000)).not.toThrow();
  expect(check(6000)).toThrow(
    "A row of 6000 tokens needs 1.3 GB at once, and the GPU's buffers hold 1.1 GB.",
  );
});

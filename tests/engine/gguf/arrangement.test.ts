// The order of rows, columns and values in files of llama.cpp.
import { describe, expect, it } from 'vitest';
import { arrangementOf, changeOf } from '../../../lib/engine/gguf/arrangement.js';
import { parseModelConfig } from '../../../lib/engine/model/index.js';

const sizes = {
  ...{ hidden_size: 8, intermediate_size: 8, num_hidden_layers: 2, num_attention_heads: 2, vocab_size: 8 },
  ...{ head_dim: 4, num_key_value_heads: 2 },
};
const llama = parseModelConfig({ ...sizes, model_type: 'llama' }, 'c');
const qwen = parseModelConfig(
  {
    ...{ ...sizes, model_type: 'qwen3_5_text', partial_rotary_factor: 1 },
    ...{
      linear_num_key_heads: 2,
      linear_num_value_heads: 6,
      linear_key_head_dim: 1,
      linear_value_head_dim: 2,
    },
  },
  'c',
);

const inLayer = (part: string) => `model.layers.0.${part}`;

/** Rows of two columns, told apart by their first. */
const toRows = (rows: readonly number[]) => rows.flatMap(row => [row, -row]);

describe('rows that move', () => {
  const heads = [0, 1, 2, 3, 4, 5];
  const moved = [0, 3, 1, 4, 2, 5];
  const wide = (order: readonly number[]) => order.flatMap(head => [2 * head, 2 * head + 1]);
  const following = (order: readonly number[]) => [90, 91, 92, 93, ...wide(order)];
  it.each([
    [
      'queries of Llama',
      llama,
      'self_attn.q_proj.weight',
      [0, 1, 2, 3, 10, 11, 12, 13],
      [0, 2, 1, 3, 10, 12, 11, 13],
    ],
    [
      'values after their queries and keys',
      qwen,
      'linear_attn.in_proj_qkv.weight',
      following(heads),
      following(moved),
    ],
    ['gates', qwen, 'linear_attn.in_proj_z.weight', wide(heads), wide(moved)],
    ['decays', qwen, 'linear_attn.in_proj_a.weight', heads, moved],
  ])('%s', (_, config, part, ours, theirs) => {
    const { moves, toFile, fromFile, together } = arrangementOf(inLayer(part), config)!;
    expect([...toFile(Float32Array.from(toRows(ours)), 2)]).toEqual(toRows(theirs));
    expect([...fromFile(Float32Array.from(toRows(theirs)), 2)]).toEqual(toRows(ours));
    expect([moves, ours.length % together]).toEqual(['rows', 0]);
  });
});

it('the columns of heads move in each row', () => {
  const { moves, toFile, fromFile } = arrangementOf(inLayer('linear_attn.out_proj.weight'), qwen)!;
  const [ours, theirs] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    [0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11],
  ];
  const twice = (row: readonly number[]) => [...row, ...row.map(value => value + 100)];
  expect(moves).toBe('columns');
  expect([...toFile(Float32Array.from(twice(ours)), 12)]).toEqual(twice(theirs));
  expect([...fromFile(Float32Array.from(twice(theirs)), 12)]).toEqual(twice(ours));
});

it('all others stay', () => {
  const parts = ['linear_attn.norm.weight', 'self_attn.q_proj.weight', 'mlp.up_proj.weight'];
  for (const part of parts) expect(arrangementOf(inLayer(part), qwen)).toBeUndefined();
});

it.each([
  ['input_layernorm.weight', 0.5, 1.5],
  ['linear_attn.A_log', 0, -1],
])('%s has other values', (part, ours, theirs) => {
  const { toFile, fromFile } = changeOf(inLayer(part), qwen)!;
  expect(toFile(ours)).toBe(theirs);
  expect(fromFile(theirs)).toBe(ours);
  expect(changeOf(inLayer('linear_attn.norm.weight'), qwen)).toBeUndefined();
});

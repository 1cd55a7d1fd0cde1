// However a GGUF file is made, reading it takes no more memory than its size times the factor that docs/models.md states.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readGgufApart } from '../../support/gguf-peak.js';
import { repositoryRoot } from '../../support/repository-root.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { encodeGguf, type GgufData, type GgufValue, uint32, uint64 } from '../../support/write-gguf.js';

const docs = readFileSync(join(repositoryRoot, 'docs', 'models.md'), 'utf8');
const FACTOR = Number(/at most (\d+) times its size/.exec(docs)![1]);

const bytes = (type: number, values: Uint8Array): GgufValue => ({
  raw: Buffer.concat([uint32(9), uint32(type), uint64(BigInt(values.length)), values]),
});

const weight = (name: string, ...shape: number[]): GgufData => ({
  ...{ name, shape, type: 1 },
  data: new Uint8Array(2 * shape.reduce((product, size) => product * size, 1)),
});

/** As `string` for each of them, in one piece. */
function list(texts: readonly string[]): GgufValue {
  const all = Buffer.alloc(texts.reduce((sum, text) => sum + 8 + Buffer.byteLength(text), 0));
  let at = 0;
  for (const text of texts) {
    const length = all.write(text, at + 8);
    at = all.writeUInt32LE(length, at) + 4 + length;
  }
  return { raw: Buffer.concat([uint32(9), uint32(8), uint64(BigInt(texts.length)), all]) };
}

/** A model with nothing but its vocabulary, as small as it can be. */
function encodeModel(tokens: readonly string[], metadata: Record<string, GgufValue>): Buffer {
  const sizes: Record<string, number> = {
    ...{ block_count: 1, embedding_length: 2, feed_forward_length: 1, context_length: 8 },
    ...{ 'attention.head_count': 1, 'attention.head_count_kv': 1 },
  };
  const counts = Object.entries(sizes).map(([name, uint32]) => [`llama.${name}`, { uint32 }] as const);
  const all: Record<string, GgufValue> = {
    'general.architecture': 'llama',
    ...Object.fromEntries(counts),
    'llama.attention.layer_norm_rms_epsilon': { float32: 1e-5 },
    'tokenizer.ggml.tokens': list(tokens),
    ...metadata,
  };
  return encodeGguf(Object.entries(all), [
    weight('token_embd.weight', tokens.length, 2),
    ...['attn_norm', 'ffn_norm'].map(name => weight(`blk.0.${name}.weight`, 2)),
    ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map(name => weight(`blk.0.${name}.weight`, 2, 2)),
    ...['ffn_gate', 'ffn_up'].map(name => weight(`blk.0.${name}.weight`, 1, 2)),
    weight('blk.0.ffn_down.weight', 2, 1),
    weight('output_norm.weight', 2),
  ]);
}

const BYTE_LEVEL = { 'tokenizer.ggml.model': 'gpt2', 'tokenizer.ggml.pre': 'gpt-2' };

/** Texts of four characters that JSON writes with six each. */
const control = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    String.fromCodePoint(...[0, 1, 2, 3].map(place => 1 + (Math.floor(i / 31 ** place) % 31))),
  );

/** Each is made of each pair of shorter ones. */
const runs = (letters: number) =>
  Array.from({ length: letters }, (_, letter) =>
    Array.from({ length: 256 }, (_, i) => String.fromCodePoint(0xc0 + letter).repeat(i + 1)),
  ).flat();

const HOSTILE: Record<string, () => [file: Buffer, problem: string | null]> = {
  'tokens that JSON writes longer, each with settings of its own': () => {
    const tokens = control(2 ** 18);
    const kinds = bytes(0, new Uint8Array(tokens.length).fill(3));
    return [encodeModel(tokens, { ...BYTE_LEVEL, 'tokenizer.ggml.token_type': kinds }), null];
  },
  'tokens that consist of each other': () => {
    const tokens = runs(32);
    const scores = { float32s: tokens.map(() => 0) };
    const problem = 'has tokens that consist of each other in too many ways';
    return [
      encodeModel(tokens, { 'tokenizer.ggml.model': 'llama', 'tokenizer.ggml.scores': scores }),
      problem,
    ];
  },
  'short tokens, most of which consist of others in all ways': () => {
    const tokens = Array.from({ length: 2 ** 18 }, (_, i) => i.toString(36));
    const scores = bytes(0, new Uint8Array(tokens.length));
    return [encodeModel(tokens, { 'tokenizer.ggml.model': 'llama', 'tokenizer.ggml.scores': scores }), null];
  },
  'lists of flags that no one reads': () => {
    const flags = bytes(7, new Uint8Array(1024).fill(1));
    const more = Array.from({ length: 5000 }, (_, i) => [`list.${i}`, flags] as const);
    return [encodeModel(['a'], { ...BYTE_LEVEL, ...Object.fromEntries(more) }), null];
  },
};

it.each(Object.keys(HOSTILE))('a file with %s', async name => {
  const folder = temporaryFolder('svc-gguf');
  const [content, reason] = HOSTILE[name]!();
  const file = join(folder, 'model.gguf');
  writeFileSync(file, content);
  const [empty, read] = [await readGgufApart(), await readGgufApart(file, join(folder, 'read'))];
  if (reason === null) expect(read.problem).toBeNull();
  else expect(read.problem).toContain(reason);
  expect(readdirSync(folder)).toEqual(reason === null ? ['model.gguf', 'read'] : ['model.gguf']);
  expect(read.peakBytes - empty.peakBytes).toBeLessThan(FACTOR * content.length);
});

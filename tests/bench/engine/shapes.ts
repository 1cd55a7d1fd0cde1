// The shapes that the engine is measured on, with random weights, and the two kinds of rows.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ModelConfig, parseModelConfig, weightShapes } from '../../../lib/engine/model/index.js';
import type { Example } from '../../../lib/engine/train/packing.js';
import { writeSafetensors } from '../../../lib/engine/weights/index.js';
import { createRandom } from '../../support/random.js';

export interface BenchShape {
  name: string;
  config: Record<string, unknown>;
  batch: number;
  sequence: number;
  /** How many are generated. */
  tokens: number;
}

const common = {
  model_type: 'llama',
  rms_norm_eps: 1e-5,
  tie_word_embeddings: true,
  max_position_embeddings: 2048,
};

export const BENCH_SHAPES: readonly BenchShape[] = [
  {
    name: 'tiny',
    config: {
      ...common,
      hidden_size: 256,
      num_hidden_layers: 6,
      num_attention_heads: 8,
      num_key_value_heads: 4,
      intermediate_size: 704,
      vocab_size: 4096,
    },
    batch: 4,
    sequence: 256,
    tokens: 128,
  },
  {
    name: '135m',
    config: {
      ...common,
      hidden_size: 576,
      num_hidden_layers: 30,
      num_attention_heads: 9,
      num_key_value_heads: 3,
      intermediate_size: 1536,
      vocab_size: 49152,
    },
    batch: 2,
    sequence: 256,
    tokens: 24,
  },
];

/** A model of random weights in a temporary folder, which the caller removes. */
export async function writeRandomModel({ config }: BenchShape): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const parsed = parseModelConfig(config, 'config.json');
  await writeSafetensors(join(folder, 'model.safetensors'), randomWeights(parsed));
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  return folder;
}

function randomWeights(config: ModelConfig) {
  const random = createRandom(1);
  return [...weightShapes(config)].map(([name, shape]) => {
    const size = shape.reduce((product, length) => product * length, 1);
    const data = new Float32Array(size);
    for (let i = 0; i < size; i++) data[i] = shape.length === 1 ? 1 : (random.next() - 0.5) * 0.07;
    return { name, dtype: 'F32' as const, shape, data };
  });
}

export const ROW_KINDS = ['full', 'chat'] as const;

export type RowKind = (typeof ROW_KINDS)[number];

interface RowShape {
  vocabulary: number;
  batch: number;
  sequence: number;
}

export function rowsOf(shape: RowShape, kind: RowKind): Example[] {
  return kind === 'full' ? fullRows(shape) : chatRows(shape);
}

/** Rows that fill their lines, every token of them learned. */
function fullRows({ vocabulary, batch, sequence }: RowShape): Example[] {
  return rows(
    vocabulary,
    Array.from({ length: batch }, () => sequence),
    () => 1,
  );
}

/** Rows of many lengths, the second part of each learned, as in a chat. */
function chatRows({ vocabulary, batch, sequence }: RowShape): Example[] {
  const random = createRandom(5);
  const lengths: number[] = [];
  for (let left = batch * sequence * 0.93; left > 20; ) {
    const length = Math.min(Math.floor(left), Math.floor(sequence * (0.1 + 0.4 * random.next())));
    lengths.push(length);
    left -= length;
  }
  return rows(vocabulary, [...lengths.slice(0, -1), lengths.at(-1)!], () => 0.45);
}

function rows(vocabulary: number, lengths: readonly number[], share: () => number): Example[] {
  const random = createRandom(2);
  return lengths.map(length => ({
    ids: Int32Array.from({ length }, () => Math.floor(random.next() * vocabulary)),
    supervised: Array.from({ length }, (_, i) => i >= length * (1 - share())),
  }));
}

// Generation speed: tokens a second of one text and of eight at once, with and without adapters, and with a mix.
import { join } from 'node:path';
import {
  createGenerator,
  type Generator,
  type LoadedAdapter,
  type TextDecoding,
} from '../../../lib/engine/generate/index.js';
import type { WeightPrecision } from '../../../lib/engine/index.js';
import { loraParameters, MODULES, type ModelSource, openModel } from '../../../lib/engine/model/index.js';
import { openWeights } from '../../../lib/engine/train/index.js';
import { createRandom } from '../../support/random.js';
import { median } from '../median.js';
import type { Row } from '../table.js';
import type { BenchShape } from './shapes.js';

const TOKENS = { tiny: 128, '135m': 24 } as const;
const ROUNDS = 5;
const silent: TextDecoding = {
  eosIds: [],
  createStreamDecoder: () => ({ push: () => '.', flush: () => '' }),
  bytesOf: () => Uint8Array.of(0x2e),
};

/** A row for each number of texts and kind of adapters; `folder` holds the model of this shape. */
export async function measureDecoding(
  shape: BenchShape,
  folder: string,
  weights: WeightPrecision,
): Promise<Row[]> {
  const stored = await openModel(folder);
  const model = await openWeights(stored, weights, { folder: join(folder, 'rounded'), trains: false });
  const generator = createGenerator({ ...model, text: silent, keepBoth: true });
  try {
    const rows = await measure(shape.name as keyof typeof TOKENS, generator, model);
    return rows.map(row => ({ shape: shape.name, weights, ...row }));
  } finally {
    await generator.close();
  }
}

async function measure(shape: keyof typeof TOKENS, generator: Generator, { config }: ModelSource) {
  const adapters = Array.from({ length: 8 }, (_, i) => randomAdapter(config, i));
  const cases = [1, 8].flatMap(batch => [
    { batch, adapters: 'none', of: () => null },
    { batch, adapters: 'one, r 16', of: () => adapters[0]! },
    ...(batch > 1 ? [{ batch, adapters: 'eight, r 16', of: (line: number) => adapters[line]! }] : []),
  ]);
  const speeds = cases.map(() => [] as number[]);
  // In turns, so that what else the machine does falls on all of them alike.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [i, { batch, of }] of cases.entries()) {
      const lines = Array.from({ length: batch }, (_, line) => of(line));
      const speed = await decode(generator, lines, TOKENS[shape], config.vocabulary);
      if (round > 0) speeds[i]!.push(speed);
    }
  }
  return cases.map(({ batch, adapters: kind }, i) => ({
    batch,
    adapters: kind,
    'tokens/s': Math.round(median(speeds[i]!)),
    best: Math.round(Math.max(...speeds[i]!)),
    'rss MB': Math.round(process.memoryUsage().rss / 1e6),
  }));
}

/** Tokens a second of all lines together, while all of them run. */
async function decode(
  generator: Generator,
  lines: readonly (LoadedAdapter | null)[],
  maxTokens: number,
  vocabulary: number,
): Promise<number> {
  const times = await Promise.all(
    lines.map(async (adapter, line) => {
      const promptIds = Array.from({ length: 16 }, (_, i) => (line * 31 + i * 7) % vocabulary);
      const arrivals: number[] = [];
      for await (const piece of generator.generate({ promptIds, adapter, maxTokens, temperature: 0 }))
        if (piece.tokenIds.length > 0) arrivals.push(performance.now());
      return arrivals;
    }),
  );
  const start = Math.max(...times.map(arrivals => arrivals[0]!));
  const end = Math.min(...times.map(arrivals => arrivals.at(-1)!));
  const tokens = times.flat().filter(time => time > start && time <= end).length;
  return (1000 * tokens) / (end - start);
}

function randomAdapter(config: ModelSource['config'], seed: number): LoadedAdapter {
  const rank = 16;
  const random = createRandom(seed);
  const matrices = new Map<string, Float32Array>();
  for (const { name, shape } of loraParameters(config, { rank, modules: MODULES })) {
    matrices.set(
      name,
      Float32Array.from({ length: rank * shape[1] }, () => (random.next() - 0.5) * 0.02),
    );
  }
  return { rank, scaling: 2, matrices };
}

// A generator for a reference model whose text is its token IDs, and the same tokens by recomputing the whole sequence
// for each of them.
import { onTestFinished } from 'vitest';
import { loadAdapter } from '../../../lib/engine/generate/adapters.js';
import {
  createGenerator,
  type GenerateRequest,
  type Generator,
  type GeneratorOptions,
  type LoadedAdapter,
  type Piece,
} from '../../../lib/engine/generate/index.js';
import { adapterName, buildLogitsGraph, toLineInputs } from '../../../lib/engine/model/index.js';
import { createSession } from '../../../lib/engine/runtime/index.js';
import { type GoldenModel, openGoldenModel } from '../../support/golden-models.js';
import { GOLDEN_LORA } from '../../support/golden-training.js';
import { numbers } from '../../support/text-decodings.js';

/** A reference model, its adapters before and after training, and the first tokens of its rows. */
export async function openGolden(name: string, defaults?: Partial<GeneratorOptions>) {
  const golden = await openGoldenModel(name);
  const [initial, trained] = await Promise.all(
    ['init', 'final'].map(which => loadAdapter(`${golden.folder}/adapter_${which}`, golden.config)),
  );
  return {
    golden,
    initial: initial!,
    trained: trained!,
    line: (row: number, length: number) => golden.batch.input_ids[row]!.slice(0, length),
    /** Closed after the test that asks for it. */
    open(options: Partial<GeneratorOptions> = {}): Generator {
      const generator = openGenerator(golden, { ...defaults, ...options });
      onTestFinished(generator.close);
      return generator;
    },
  };
}

export function openGenerator(golden: GoldenModel, options: Partial<GeneratorOptions> = {}): Generator {
  return createGenerator({ ...golden, text: numbers, session: { threads: 1 }, ...options });
}

export async function readAll(pieces: AsyncIterable<Piece>) {
  const all: Piece[] = [];
  for await (const piece of pieces) all.push(piece);
  return {
    text: all.map(({ text }) => text).join(''),
    tokenIds: all.flatMap(({ tokenIds }) => tokenIds),
    pieces: all,
    last: all.at(-1)!,
  };
}

/** Logits [vocabulary] after these tokens, computed without a cache. */
type Recompute = (ids: readonly number[], adapter?: LoadedAdapter | null) => Promise<Float32Array>;

/** Takes up to `longest` tokens, and adapters of rank 8. */
export async function openRecompute({ config, weights }: GoldenModel, longest: number) {
  const { graph, parameters } = buildLogitsGraph(config, weights, GOLDEN_LORA, longest);
  const session = await createSession(graph, { threads: 1 });
  const compute: Recompute = async (ids, adapter = null) => {
    const matrices = parameters.map(({ name, layer, module, side, shape: [rows, width] }) => {
      const given = adapter?.matrices.get(adapterName(layer, module, side));
      return [name, given ?? new Float32Array(rows * width)] as const;
    });
    const { logits } = await session.run({ ...toLineInputs(ids, config), ...Object.fromEntries(matrices) });
    return logits!.slice((ids.length - 1) * config.vocabulary, ids.length * config.vocabulary);
  };
  return { compute, close: () => session.close() };
}

/** Greedy but varied: the penalty prevents repeated tokens. */
export const varied: Pick<GenerateRequest, 'temperature' | 'presencePenalty'> = {
  temperature: 0,
  presencePenalty: 2,
};

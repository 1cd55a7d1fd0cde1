// An adapter as one GGUF file, which llama.cpp loads with `--lora`: its matrices in float32, by llama.cpp's names.
import {
  arrangementOf,
  f32Tensor,
  ggufHeader,
  type Metadata,
  type MetadataValue,
  padData,
  type TensorToWrite,
} from '../gguf/index.js';
import type { ModelConfig } from '../model/index.js';
import {
  type LoraPair,
  type LoraSite,
  type Module,
  type OpenedAdapter,
  PROJECTIONS,
  toModulePath,
} from '../weights/index.js';

/** The file in pieces. Reads one pair of matrices at a time. */
export async function* encodeGgufAdapter(
  { config: { rank }, scaling, sites, readPair }: OpenedAdapter,
  model: ModelConfig,
  shapeOf: (module: Module) => readonly [number, number],
): AsyncGenerator<Uint8Array> {
  const text = (value: string): MetadataValue => ({ type: 'string', value });
  const metadata: Metadata = {
    'general.type': text('adapter'),
    'general.architecture': text(model.llamaCpp.name),
    'adapter.type': text('lora'),
    // llama.cpp divides alpha by the rank, even if the adapter scales differently.
    'adapter.lora.alpha': { type: 'float32', value: scaling * rank },
  };
  yield ggufHeader(
    metadata,
    sites.flatMap(site => describePair(site, rank, shapeOf(site.module))),
  );
  for (const site of sites) {
    const pair = await readPair(site);
    const names = namesOf(site);
    const { a, b } = arrange(pair, model, rank);
    const size = b.length / names.length;
    for (const part of names.keys()) {
      yield toPadded(a);
      yield toPadded(b.subarray(part * size, (part + 1) * size));
    }
  }
}

function describePair(
  site: LoraSite,
  rank: number,
  [outputs, inputs]: readonly [number, number],
): TensorToWrite[] {
  const names = namesOf(site);
  return names.flatMap(name => [
    f32Tensor(`${name}.lora_a`, [rank, inputs]),
    f32Tensor(`${name}.lora_b`, [outputs / names.length, rank]),
  ]);
}

function namesOf({ layer, module }: LoraSite): string[] {
  return [PROJECTIONS[module].llamaCpp].flat().map(name => `blk.${layer}.${name}.weight`);
}

/** Rows of a product's result are those of B, and its columns those of A. */
function arrange(pair: LoraPair, model: ModelConfig, rank: number): Pick<LoraPair, 'a' | 'b'> {
  const { a, b } = pair;
  const arrangement = arrangementOf(`${toModulePath(pair)}.weight`, model);
  if (arrangement?.moves === 'rows') return { a, b: arrangement.toFile(b, rank) };
  return { a: arrangement?.toFile(a, a.length / rank) ?? a, b };
}

function toPadded({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return padData(new Uint8Array(buffer, byteOffset, byteLength));
}

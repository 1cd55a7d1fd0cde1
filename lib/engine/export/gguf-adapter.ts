// An adapter as one GGUF file, which llama.cpp loads with `--lora`: its matrices in float32, by llama.cpp's names.
import type { ModelConfig } from '../model/index.js';
import type { LoraModule, LoraPair, LoraSite, OpenedAdapter } from '../weights/index.js';
import { f32Tensor, type GgufTensor, ggufHeader, type MetadataValue, padData } from './gguf-header.js';
import { pairRows } from './pair-rows.js';

const NAMES: Record<LoraModule, string> = {
  q_proj: 'attn_q',
  k_proj: 'attn_k',
  v_proj: 'attn_v',
  o_proj: 'attn_output',
  gate_proj: 'ffn_gate',
  up_proj: 'ffn_up',
  down_proj: 'ffn_down',
};

/** The file in pieces. Reads one pair of matrices at a time. */
export async function* encodeGgufAdapter(
  { config: { rank }, scaling, sites, readPair }: OpenedAdapter,
  model: ModelConfig,
  shapeOf: (module: LoraModule) => readonly [number, number],
): AsyncGenerator<Uint8Array> {
  const text = (value: string): MetadataValue => ({ type: 'string', value });
  const metadata: Record<string, MetadataValue> = {
    'general.type': text('adapter'),
    'general.architecture': text(model.type),
    'adapter.type': text('lora'),
    // llama.cpp divides it by the rank, also where the adapter's own scale is another one.
    'adapter.lora.alpha': { type: 'float32', value: scaling * rank },
  };
  yield ggufHeader(
    metadata,
    sites.flatMap(site => describePair(site, rank, shapeOf(site.module))),
  );
  for (const site of sites) {
    const pair = await readPair(site);
    yield toPadded(pair.a);
    yield toPadded(arrangeRows(pair, model, rank));
  }
}

function describePair(
  { layer, module }: LoraSite,
  rank: number,
  [outputs, inputs]: readonly [number, number],
): GgufTensor[] {
  const name = `blk.${layer}.${NAMES[module]}.weight`;
  return [f32Tensor(`${name}.lora_a`, [rank, inputs]), f32Tensor(`${name}.lora_b`, [outputs, rank])];
}

function arrangeRows({ module, b }: LoraPair, { type, headDim }: ModelConfig, rank: number): Float32Array {
  const turns = module === 'q_proj' || module === 'k_proj';
  return turns && type === 'llama' ? pairRows(b, headDim, rank) : b;
}

function toPadded({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return padData(new Uint8Array(buffer, byteOffset, byteLength));
}

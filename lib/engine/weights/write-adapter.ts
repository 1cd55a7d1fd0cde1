// Writes a LoRA adapter in PEFT's layout, which PEFT, vLLM and llama.cpp's converter can load.
import { resolve } from 'node:path';
import { ADAPTER_CONFIG, ADAPTER_TENSORS } from '../run-layout.js';
import { type AdapterConfig, parseAdapterConfig, toPeftSettings } from './adapter-config.js';
import { checkCoverage } from './adapter-coverage.js';
import { compareSites, type LoraHalf, loraModules, toTensorName } from './lora-module.js';
import type { LoraPair } from './read-adapter.js';
import { replaceFolder } from './replace-folder.js';
import { WeightsError } from './weights-error.js';
import { encodeSafetensors, type TensorToWrite } from './write-safetensors.js';

/** Missing settings default to PEFT's, and the target modules to those that have tensors. */
export interface AdapterToWrite {
  config: Pick<AdapterConfig, 'rank' | 'alpha'> & Partial<AdapterConfig>;
  tensors: Iterable<LoraPair>;
}

/**
 * Writes an adapter's folder atomically. Replaces an existing adapter, but rejects a folder that contains anything
 * else.
 */
export async function writeAdapter(folder: string, adapter: AdapterToWrite): Promise<void> {
  const path = resolve(folder);
  const tensors = [...adapter.tensors].sort(compareSites);
  const config = completeConfig(adapter.config, tensors);
  const settings = toPeftSettings(config);
  parseAdapterConfig(settings, path);
  if (tensors.length === 0) throw new WeightsError(path, 'an adapter without tensors cannot be written');
  checkCoverage(config, tensors, tensors.at(-1)!.layer + 1, path);

  const halves = tensors.flatMap(pair => [toHalf(pair, 'A', config.rank), toHalf(pair, 'B', config.rank)]);
  await replaceFolder(path, {
    [ADAPTER_CONFIG]: [Buffer.from(JSON.stringify(settings, null, 2))],
    [ADAPTER_TENSORS]: encodeSafetensors(path, halves, { format: 'pt' }),
  });
}

function completeConfig(config: AdapterToWrite['config'], tensors: LoraPair[]): AdapterConfig {
  const adapted = new Set(tensors.map(({ module }) => module));
  return {
    dropout: 0,
    useRslora: false,
    targetModules: loraModules.filter(module => adapted.has(module)),
    layersToTransform: null,
    baseModel: null,
    ...config,
  };
}

function toHalf(pair: LoraPair, half: LoraHalf, rank: number): TensorToWrite {
  const data = half === 'A' ? pair.a : pair.b;
  const other = Math.floor(data.length / rank);
  const shape = half === 'A' ? [rank, other] : [other, rank];
  return { name: toTensorName(pair, half), dtype: 'F32', shape, data };
}

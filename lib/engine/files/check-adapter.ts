// Reads an adapter that was trained elsewhere, one pair of matrices at a time, before a cloud takes it.
import { join } from 'node:path';
import { openModelAdapter, readModelConfig } from '../model/index.js';
import { ADAPTER_CONFIG } from '../run-layout.js';
import { describeAdapter } from '../train/artifact.js';
import { loraModules, WeightsError } from '../weights/index.js';
import type { CheckedAdapter, FileWork } from './messages.js';

export async function checkAdapter(
  { folder, modelFolder }: FileWork['checkAdapter']['input'],
  signal: AbortSignal,
): Promise<CheckedAdapter> {
  const { config, sites, readPair } = await openModelAdapter(folder, await readModelConfig(modelFolder));
  const { targetModules: _, layersToTransform: __, ...settings } = config;
  if (config.alpha === 0)
    throw new WeightsError(join(folder, ADAPTER_CONFIG), 'lora_alpha is 0, so the adapter changes nothing');
  for (const site of sites) {
    signal.throwIfAborted();
    await readPair(site);
  }
  const adapted = new Set(sites.map(({ module }) => module));
  const { bytes, sha256 } = await describeAdapter(folder, 'final', 0);
  return { ...settings, modules: loraModules.filter(module => adapted.has(module)), bytes, sha256 };
}

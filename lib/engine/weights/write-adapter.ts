// Writes a LoRA adapter in PEFT's layout, which PEFT, vLLM and llama.cpp's converter can load.
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { rename, syncFolder, temporaryNameFor, unlessMissing, writeSynced } from '../../system/index.js';
import { ADAPTER_CONFIG, ADAPTER_TENSORS } from '../run-layout.js';
import { type AdapterConfig, parseAdapterConfig, toPeftSettings } from './adapter-config.js';
import { checkCoverage, compareSites, type LoraHalf, toTensorName } from './lora-module.js';
import { openWeightsFile } from './open-weights.js';
import { MODULES, toTargetName } from './projections.js';
import type { LoraPair } from './read-adapter.js';
import { encodeSafetensorsHeader } from './safetensors-header.js';
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
  checkCoverage(config, tensors, tensors, path);

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
    targetModules: [...new Set(MODULES.filter(module => adapted.has(module)).map(toTargetName))],
    excludeModules: null,
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

/** Copies an adapter, with the names that its matrices have where the base model is inside one of images, too. */
export async function copyAdapterInside(folder: string, adapterFolder: string): Promise<void> {
  await replaceFolder(resolve(folder), {
    [ADAPTER_CONFIG]: [await readFile(join(adapterFolder, ADAPTER_CONFIG))],
    [ADAPTER_TENSORS]: renameInside(join(adapterFolder, ADAPTER_TENSORS)),
  });
}

async function* renameInside(path: string): AsyncGenerator<Uint8Array> {
  const weights = await openWeightsFile(path);
  const tensors = weights.names().map(name => ({ ...weights.describe(name), name: toInsideName(name) }));
  yield encodeSafetensorsHeader(tensors, { format: 'pt' });
  yield* createReadStream(path, { start: tensors[0]!.byteOffset });
}

const toInsideName = (name: string) =>
  name.replace(/^base_model\.model\.model\./, 'base_model.model.model.language_model.');

/**
 * Writes or replaces the folder with these files, completely or not at all: under a temporary name, synced, then renamed. A
 * folder with any other file is not replaced, so that nothing else is lost. @internal
 */
export async function replaceFolder(
  path: string,
  files: Record<string, Iterable<Uint8Array> | AsyncIterable<Uint8Array>>,
): Promise<void> {
  await checkReplaceable(path, Object.keys(files));
  const temporary = temporaryNameFor(path);
  try {
    await mkdir(temporary, { recursive: true });
    for (const [name, chunks] of Object.entries(files)) await writeSynced(join(temporary, name), chunks);
    await syncFolder(temporary);
    await swapFolder(temporary, path);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

async function checkReplaceable(path: string, ours: string[]): Promise<void> {
  const names = await unlessMissing(readdir(path), []).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') throw new WeightsError(path, 'is a file, not a folder');
    throw error;
  });
  const foreign = names.find(name => !ours.includes(name));
  if (foreign !== undefined)
    throw new WeightsError(path, `is not replaced: it has ${foreign}, which would be lost`);
}

/** Moves the new folder into place. The old one is deleted only after that. */
async function swapFolder(fresh: string, path: string): Promise<void> {
  const old = temporaryNameFor(path);
  const wasThere = await unlessMissing(
    rename(path, old).then(() => true),
    false,
  );
  try {
    await rename(fresh, path);
  } catch (error) {
    if (wasThere) await rename(old, path);
    throw error;
  }
  await rm(old, { recursive: true, force: true });
}

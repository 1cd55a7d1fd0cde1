// Adapters in PEFT layout for the tiny model, as another trainer would leave them: any settings, types and values.
import { openAsBlob } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Module, moduleShape, readModelConfig } from '../../lib/engine/model/index.js';
import { modulesOf } from '../../lib/engine/model/weight-names.js';
import {
  type FloatDtype,
  type LoraPair,
  writeAdapter,
  writeSafetensors,
} from '../../lib/engine/weights/index.js';
import { openWeightsFile } from '../../lib/engine/weights/open-weights.js';
import type { TensorToWrite } from '../../lib/engine/weights/write-safetensors.js';
import { toTarBlob } from '../../lib/tar/index.js';
import { createRandom } from './random.js';

export interface AdapterSample {
  rank?: number;
  alpha?: number;
  modules?: readonly Module[];
  dtype?: FloatDtype;
  /** Changes to what adapter_config.json says. */
  settings?: Record<string, unknown>;
  /** Changes to the tensors. */
  change?: (tensors: TensorToWrite[]) => TensorToWrite[];
  seed?: number;
}

export const SAMPLE_BASE = 'test/model';

/** Writes it into a new folder. Its matrices are large enough to change what the model says. */
export async function makeAdapterFolder(
  folder: string,
  modelFolder: string,
  sample: AdapterSample = {},
): Promise<string> {
  const { rank = 4, alpha = 8, modules, dtype = 'F32', change = all => all } = sample;
  const config = await readModelConfig(modelFolder);
  const random = createRandom(sample.seed ?? 1);
  const tensors: LoraPair[] = [];
  for (let layer = 0; layer < config.layers; layer++)
    for (const module of modules ?? modulesOf(config, layer)) {
      const [outputs, inputs] = moduleShape(config, module);
      const [a, b] = [random.normal(rank * inputs, 0.1), random.normal(outputs * rank, 0.2)];
      tensors.push({ layer, module, a, b });
    }
  await mkdir(folder, { recursive: true });
  await writeAdapter(folder, { config: { rank, alpha, baseModel: SAMPLE_BASE }, tensors });
  const settings = join(folder, 'adapter_config.json');
  const changed = { ...JSON.parse(await readFile(settings, 'utf8')), ...sample.settings };
  await writeFile(settings, JSON.stringify(changed));
  await rewriteTensors(join(folder, 'adapter_model.safetensors'), dtype, change);
  return folder;
}

async function rewriteTensors(
  path: string,
  dtype: FloatDtype,
  change: NonNullable<AdapterSample['change']>,
): Promise<void> {
  const stored = await openWeightsFile(path);
  const tensors: TensorToWrite[] = [];
  for (const name of stored.names())
    tensors.push({ name, dtype, shape: stored.describe(name).shape, data: await stored.readFloat32(name) });
  await writeSafetensors(path, change(tensors), { format: 'pt' });
}

/** The files of an adapter's folder, as a cloud gives them to who downloads it. */
export async function packAdapter(folder: string): Promise<Uint8Array<ArrayBuffer>> {
  const names = ['adapter_config.json', 'adapter_model.safetensors'];
  const files = names.map(async name => ({ name, content: await openAsBlob(join(folder, name)) }));
  return new Uint8Array(await toTarBlob(await Promise.all(files)).arrayBuffer());
}

// The reference model of Qwen3.5 as the Hub has it: inside a model that also sees, with other names.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWeights, writeSafetensors } from '../../lib/engine/weights/index.js';
import type { TensorToWrite } from '../../lib/engine/weights/write-safetensors.js';
import { openGoldenModel } from './golden-models.js';

/** `folder` is new. More than one shard have an index. */
export async function makeVisionBase(folder: string, shards = 1): Promise<void> {
  const golden = await openGoldenModel('qwen3_5');
  await mkdir(folder);
  const text = JSON.parse(await readFile(join(golden.folder, 'config.json'), 'utf8')) as object;
  const config = {
    architectures: ['Qwen3_5ForConditionalGeneration'],
    model_type: 'qwen3_5',
    tie_word_embeddings: false,
    text_config: text,
    vision_config: {},
  };
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  const parts: TensorToWrite[][] = Array.from({ length: shards }, () => []);
  for (const [i, tensor] of (await listTensors(golden.folder)).entries()) parts[i % shards]!.push(tensor);
  const files = parts.map((_, i) => (shards === 1 ? 'model.safetensors' : `part-${i}.safetensors`));
  for (const [i, tensors] of parts.entries())
    await writeSafetensors(join(folder, files[i]!), tensors, { format: 'pt' });
  const places = parts.flatMap((tensors, i) => tensors.map(({ name }) => [name, files[i]!]));
  if (shards > 1)
    await writeFile(
      join(folder, 'model.safetensors.index.json'),
      JSON.stringify({ metadata: {}, weight_map: Object.fromEntries(places) }),
    );
}

async function listTensors(folder: string): Promise<TensorToWrite[]> {
  const weights = await openWeights(folder);
  const seeing = { name: 'model.visual.norm.weight', dtype: 'F32', shape: [2], data: Float32Array.of(3, 4) };
  const tensors: TensorToWrite[] = [seeing as TensorToWrite];
  for (const text of weights.names()) {
    const name = text.replace(/^model\./, 'model.language_model.');
    const data = await weights.readFloat32(text);
    tensors.push({ name, dtype: 'F32', shape: weights.describe(text).shape, data });
  }
  return tensors;
}

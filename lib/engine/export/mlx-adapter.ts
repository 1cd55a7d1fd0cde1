// An adapter as mlx-lm reads it: its matrices transposed, by its names, beside a config of its own.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpenedAdapter, toModulePath, transpose, writeSafetensors } from '../weights/index.js';

const CONFIG = 'adapter_config.json';
const TENSORS = 'adapters.safetensors';

/** Into an empty folder. Returns the names of its files. */
export async function writeMlx(
  folder: string,
  { config: { rank }, scaling, sites, readPair }: OpenedAdapter,
  layers: number,
): Promise<string[]> {
  const tensors = [];
  for (const site of sites) {
    const [{ a, b }, path] = [await readPair(site), toModulePath(site)];
    const [inputs, outputs] = [a.length / rank, b.length / rank];
    tensors.push(
      {
        name: `${path}.lora_a`,
        dtype: 'F32',
        shape: [inputs, rank],
        data: transpose(a, rank, inputs),
      } as const,
      {
        name: `${path}.lora_b`,
        dtype: 'F32',
        shape: [rank, outputs],
        data: transpose(b, outputs, rank),
      } as const,
    );
  }
  const paths = sites.map(site => toModulePath(site).replace(/^model\.layers\.\d+\./, ''));
  const config = {
    fine_tune_type: 'lora',
    // It counts them from the end. A projection without matrices there adds nothing.
    num_layers: layers - Math.min(...sites.map(({ layer }) => layer)),
    lora_parameters: { rank, scale: scaling, dropout: 0, keys: [...new Set(paths)] },
  };
  await writeSafetensors(join(folder, TENSORS), tensors, { format: 'mlx' });
  await writeFile(join(folder, CONFIG), `${JSON.stringify(config, null, 2)}\n`);
  return [CONFIG, TENSORS];
}

// An adapter as mlx-lm reads it: its matrices transposed, by its names, beside a config of its own.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpenedAdapter, PROJECTIONS, transpose, writeSafetensors } from '../weights/index.js';

const CONFIG = 'adapter_config.json';
const TENSORS = 'adapters.safetensors';

/** Into an empty folder. Returns the names of its files. */
export async function writeMlx(
  folder: string,
  { config: { rank }, scaling, sites, readPair }: OpenedAdapter,
  layers: number,
): Promise<string[]> {
  const tensors = [];
  const names = new Set<string>();
  for (const site of sites) {
    const { a, b } = await readPair(site);
    // Of several, each has the same number of the rows.
    const parts = PROJECTIONS[site.module].mlx ?? [site.module];
    const size = b.length / parts.length;
    for (const [part, name] of parts.entries()) {
      names.add(name);
      const path = `model.layers.${site.layer}.${name}`;
      const rows = b.subarray(part * size, (part + 1) * size);
      tensors.push(
        transposed(`${path}.lora_a`, a, rank),
        transposed(`${path}.lora_b`, rows, rows.length / rank),
      );
    }
  }
  const config = {
    fine_tune_type: 'lora',
    // It counts them from the end. A projection without matrices there adds nothing.
    num_layers: layers - Math.min(...sites.map(({ layer }) => layer)),
    lora_parameters: { rank, scale: scaling, dropout: 0, keys: [...names] },
  };
  await writeSafetensors(join(folder, TENSORS), tensors, { format: 'mlx' });
  await writeFile(join(folder, CONFIG), `${JSON.stringify(config, null, 2)}\n`);
  return [CONFIG, TENSORS];
}

function transposed(name: string, values: Float32Array, rows: number) {
  const columns = values.length / rows;
  return { name, dtype: 'F32', shape: [columns, rows], data: transpose(values, rows, columns) } as const;
}

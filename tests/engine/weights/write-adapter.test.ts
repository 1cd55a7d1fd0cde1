import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type AdapterToWrite,
  type LoraPair,
  readAdapter,
  WeightsError,
  writeAdapter,
} from '../../../lib/engine/weights/index.js';
import { architectures, golden, temporaryFolder } from './sample-files.js';

const files = ['adapter_config.json', 'adapter_model.safetensors'];
const pair = (layer: number, fields: Partial<LoraPair> = {}): LoraPair => ({
  layer,
  module: 'q_proj',
  a: Float32Array.of(1, 2, 3, 4, 5, 6),
  b: Float32Array.of(7, 8),
  ...fields,
});
const small: AdapterToWrite = { config: { rank: 2, alpha: 4 }, tensors: [pair(1), pair(0)] };

describe('a written adapter', () => {
  const folders = architectures.flatMap(name => [`${name}/adapter_init`, `${name}/adapter_final`]);

  it.each(folders)("has the same bytes as PEFT's tensors, and all of its settings: %s", async path => {
    const folder = join(temporaryFolder(), 'new', 'adapter');
    await writeAdapter(folder, await readAdapter(join(golden, path)));
    const read = (name: string, at = folder) => readFileSync(join(at, name));
    const peft = join(golden, path);
    expect(read('adapter_model.safetensors').equals(read('adapter_model.safetensors', peft))).toBe(true);
    const written = JSON.parse(read('adapter_config.json').toString());
    const reference = JSON.parse(read('adapter_config.json', peft).toString());
    expect(written).toEqual(reference);
    expect(Object.keys(written)).toEqual(Object.keys(reference));
    expect(readdirSync(folder).sort()).toEqual(files);
  });

  it('lists the modules that it adapts, and the given settings', async () => {
    const folder = join(temporaryFolder(), 'adapter');
    const tensors = [pair(0, { module: 'up_proj' }), pair(0)];
    await writeAdapter(folder, {
      config: { rank: 2, alpha: 3, dropout: 0.1, useRslora: true, baseModel: 'm' },
      tensors,
    });
    const { config, scaling, tensors: read } = await readAdapter(folder);
    expect(config.targetModules).toEqual(['q_proj', 'up_proj']);
    expect(config).toMatchObject({ dropout: 0.1, useRslora: true, baseModel: 'm' });
    expect(scaling).toBe(3 / Math.sqrt(2));
    expect(read).toEqual([pair(0), pair(0, { module: 'up_proj' })]);
  });

  it('replaces an existing adapter, and leaves no temporary files', async () => {
    const parent = temporaryFolder();
    const folder = join(parent, 'adapter');
    await writeAdapter(folder, small);
    await writeAdapter(folder, { ...small, config: { rank: 2, alpha: 6 } });
    expect((await readAdapter(folder)).scaling).toBe(3);
    expect(readdirSync(parent)).toEqual(['adapter']);
    expect(readdirSync(folder).sort()).toEqual(files);
  });
});

describe('what cannot be written', () => {
  it('is an adapter over a folder with other files, which stay', async () => {
    const parent = temporaryFolder();
    const folder = join(parent, 'adapter');
    mkdirSync(folder);
    writeFileSync(join(folder, 'thesis.txt'), 'all of it');
    await expect(writeAdapter(folder, small)).rejects.toThrow(
      `${folder}: is not replaced: it has thesis.txt, which would be lost`,
    );
    await expect(writeAdapter(join(folder, 'thesis.txt'), small)).rejects.toThrow('is a file');
    expect(readFileSync(join(folder, 'thesis.txt'), 'utf8')).toBe('all of it');
    expect(readdirSync(parent)).toEqual(['adapter']);
  });

  it.each<[string, AdapterToWrite, string]>([
    ['no tensor', { ...small, tensors: [] }, 'target_modules is []'],
    ['no rank', { ...small, config: { rank: 0, alpha: 1 } }, 'r is 0'],
    ['NaN as alpha', { ...small, config: { rank: 2, alpha: Number.NaN } }, 'lora_alpha is'],
    ['a gap', { ...small, tensors: [pair(1)] }, 'layers.0.self_attn.q_proj.lora_A.weight" is missing'],
    ['a repeated pair', { ...small, tensors: [pair(0), pair(0)] }, 'its name is already used'],
    [
      'a wrong length',
      { ...small, tensors: [pair(0, { a: new Float32Array(5) })] },
      'needs 4 numbers, not 5',
    ],
  ])('is an adapter with %s, and the old one stays', async (_, adapter, complaint) => {
    const parent = temporaryFolder();
    const folder = join(parent, 'adapter');
    await writeAdapter(folder, small);
    const writing = writeAdapter(folder, adapter);
    await expect(writing).rejects.toThrow(WeightsError);
    await expect(writing).rejects.toThrow(complaint);
    expect((await readAdapter(folder)).tensors).toEqual([pair(0), pair(1)]);
    expect(readdirSync(parent)).toEqual(['adapter']);
  });
});

// An adapter as mlx-lm has it, where its modules are others than PEFT's.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { writeMlxAdapter } from '../../../lib/engine/export/index.js';
import { readAdapter } from '../../../lib/engine/weights/index.js';
import { openWeightsFile } from '../../../lib/engine/weights/open-weights.js';
import { makeAdapterFolder } from '../../support/sample-adapter.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

it.each([
  ['qwen3_5', 'language_model.model.layers'],
  ['qwen3', 'model.layers'],
])("all matrices of %s are below mlx-lm's path of its layers", async (name, path) => {
  const home = temporaryFolder('svc-mlx');
  const modelFolder = fileURLToPath(new URL(`../../golden/engine/${name}`, import.meta.url));
  const adapterFolder = await makeAdapterFolder(join(home, 'adapter'), modelFolder);
  const target = join(home, 'mlx');
  await mkdir(target);
  await writeMlxAdapter(target, { adapterFolder, modelFolder });
  const names = (await openWeightsFile(join(target, 'adapters.safetensors'))).names();
  expect(names).toContain(`${path}.1.self_attn.q_proj.lora_a`);
  expect(names.filter(matrix => !matrix.startsWith(`${path}.`))).toEqual([]);
});

it('an adapter of Granite 4 has the gate and the rest of the fused projection on their own', async () => {
  const [home, rank] = [temporaryFolder('svc-mlx'), 4];
  const modelFolder = fileURLToPath(new URL('../../golden/engine/granite4', import.meta.url));
  const adapterFolder = await makeAdapterFolder(join(home, 'adapter'), modelFolder, { rank });
  const target = join(home, 'mlx');
  await mkdir(target);
  await writeMlxAdapter(target, { adapterFolder, modelFolder });
  const config = JSON.parse(await readFile(join(target, 'adapter_config.json'), 'utf8'));
  const attention = ['q_proj', 'k_proj', 'v_proj', 'o_proj'].map(name => `self_attn.${name}`);
  const feed = ['mlp.gate_proj', 'mlp.up_proj', 'mlp.down_proj'];
  expect(config.lora_parameters.keys).toEqual([...attention, ...feed]);
  const { tensors } = await readAdapter(adapterFolder);
  const { a, b } = tensors.find(({ layer, module }) => layer === 1 && module.endsWith('input_linear'))!;
  const weights = await openWeightsFile(join(target, 'adapters.safetensors'));
  const width = b.length / rank / 2;
  for (const [part, name] of ['gate_proj', 'up_proj'].entries()) {
    const [lower, upper] = await Promise.all(
      ['a', 'b'].map(side => weights.readFloat32(`model.layers.1.mlp.${name}.lora_${side}`)),
    );
    expect(lower!.length).toBe(a.length);
    expect(lower![1]).toBe(a[a.length / rank]);
    for (const row of [0, width - 1])
      for (let k = 0; k < rank; k++) expect(upper![k * width + row]).toBe(b[(part * width + row) * rank + k]);
  }
});

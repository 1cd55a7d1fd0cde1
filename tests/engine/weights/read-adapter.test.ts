import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type AdaptedModel,
  type LoraModule,
  loraModules,
  readAdapter,
  WeightsError,
} from '../../../lib/engine/weights/index.js';
import { adapterFolder, nameOf, pair, plainTensors } from './adapter-files.js';
import { architectures, golden } from './sample-files.js';

const smallModel: AdaptedModel = { layers: 2, shapeOf: () => [4, 3] };
const q = 'self_attn.q_proj';

async function expectComplaint(
  changes: Parameters<typeof adapterFolder>[0],
  complaint: string,
  model?: AdaptedModel,
) {
  const folder = await adapterFolder(changes);
  const reading = readAdapter(folder, model);
  await expect(reading).rejects.toThrow(WeightsError);
  await expect(reading).rejects.toThrow(complaint);
  await expect(reading).rejects.toThrow(folder);
}

/** The model of a reference folder, from its config.json. */
function modelOf(architecture: string): AdaptedModel {
  const config = JSON.parse(readFileSync(join(golden, architecture, 'config.json'), 'utf8'));
  const {
    hidden_size: d,
    intermediate_size: ff,
    num_attention_heads: heads,
    num_key_value_heads: kv,
  } = config;
  const head = config.head_dim ?? d / heads;
  const shapes: Record<LoraModule, [number, number]> = {
    q_proj: [heads * head, d],
    k_proj: [kv * head, d],
    v_proj: [kv * head, d],
    o_proj: [d, heads * head],
    gate_proj: [ff, d],
    up_proj: [ff, d],
    down_proj: [d, ff],
  };
  return { layers: config.num_hidden_layers, shapeOf: module => shapes[module] };
}

describe('an adapter written by PEFT', () => {
  const folders = architectures.flatMap(name => [`${name}/adapter_init`, `${name}/adapter_final`]);

  it.each(folders)('is read: %s', async path => {
    const folder = join(golden, path);
    const { config, scaling, tensors } = await readAdapter(folder, modelOf(path.split('/')[0]!));
    expect(config).toMatchObject({
      rank: 8,
      alpha: 16,
      dropout: 0,
      useRslora: false,
      layersToTransform: null,
    });
    expect(scaling).toBe(2);
    expect(tensors.map(({ layer, module }) => `${layer} ${module}`)).toEqual(
      [0, 1].flatMap(layer => loraModules.map(module => `${layer} ${module}`)),
    );
    // The tensors of a file are sorted by name, so the bytes of this one come last.
    const file = readFileSync(join(folder, 'adapter_model.safetensors'));
    const last = tensors.find(({ layer, module }) => layer === 1 && module === 'v_proj')!.b;
    expect(Buffer.from(last.buffer).equals(file.subarray(file.length - last.byteLength))).toBe(true);
  });
});

describe('an adapter', () => {
  it('may name its targets by the end of their path, a regular expression, or all-linear', async () => {
    const all = ['model.layers.0.self_attn.q_proj', 'layers.1.self_attn.q_proj'];
    for (const target_modules of [[q], ['q_proj', q], all, '.*q_proj', 'all-linear']) {
      const { tensors, config } = await readAdapter(
        await adapterFolder({ config: { target_modules } }),
        smallModel,
      );
      expect(tensors).toHaveLength(2);
      expect(config.targetModules).toEqual(target_modules);
    }
  });

  it('may adapt only some layers', async () => {
    for (const layers_to_transform of [1, [1]]) {
      const changes = { config: { layers_to_transform }, tensors: pair(1, q) };
      const { tensors } = await readAdapter(await adapterFolder(changes), smallModel);
      expect(tensors.map(({ layer }) => layer)).toEqual([1]);
    }
  });

  it('may be stored as bf16', async () => {
    const tensors = plainTensors.map(tensor => ({ ...tensor, dtype: 'BF16' as const }));
    const { tensors: read } = await readAdapter(await adapterFolder({ tensors }));
    expect(read[1]?.a).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6));
  });

  it('is rejected if a file is missing or broken', async () => {
    const folder = await adapterFolder();
    rmSync(join(folder, 'adapter_model.safetensors'));
    await expect(readAdapter(folder)).rejects.toThrow('adapter_model.safetensors: does not exist');
    rmSync(join(folder, 'adapter_config.json'));
    await expect(readAdapter(folder)).rejects.toThrow('adapter_config.json: does not exist');
    await expectComplaint({ config: '{"r": 2' }, 'adapter_config.json: content is not valid JSON');
    await expectComplaint({ config: '[]' }, 'adapter_config.json: content is not a JSON object');
  });

  it('is rejected if half of a pair is missing', async () => {
    const name = nameOf(1, q, 'A');
    const tensors = plainTensors.filter(tensor => tensor.name !== name);
    await expectComplaint({ tensors }, `tensor "${nameOf(1, q, 'B')}" has no counterpart ${name}`);
  });

  it.each([
    nameOf(0, 'mlp.q_proj', 'A'),
    nameOf(0, 'self_attn.qkv_proj', 'A'),
    nameOf(0, 'self_attn.toString', 'A'),
    nameOf(0, q, 'A').replace('.0.', '.00.'),
    nameOf(0, q, 'A').replace('lora_A', 'lora_magnitude_vector'),
    'base_model.model.lm_head.lora_A.weight',
  ])('is rejected if it has %s', async name => {
    const tensors = [...plainTensors, { ...plainTensors[0]!, name }];
    await expectComplaint({ tensors }, `tensor "${name}" does not belong to a module that can be adapted`);
  });

  it('is rejected if the shape of a tensor does not match its rank or the model', async () => {
    const tensors = [...pair(0, q), ...pair(1, q, 3)];
    const name = nameOf(1, q, 'A');
    await expectComplaint({ tensors }, `tensor "${name}" has the shape [3,3], expected [2,3]`);
    await expectComplaint({}, 'has the shape [2,3], expected [2,5]', {
      ...smallModel,
      shapeOf: () => [4, 5],
    });
    await expectComplaint({}, 'has the shape [4,2], expected [5,2]', {
      ...smallModel,
      shapeOf: () => [5, 3],
    });
    const flat = plainTensors.map(tensor => ({ ...tensor, shape: [tensor.data.length] }));
    await expectComplaint({ tensors: flat }, 'has the shape [6], expected [2,0]');
  });

  it('is rejected if it has more or fewer layers than the model', async () => {
    await expectComplaint({}, `tensor "${nameOf(1, q, 'A')}" is beyond the model's 1 layers`, {
      ...smallModel,
      layers: 1,
    });
    await expectComplaint(
      {},
      `tensor "${nameOf(2, q, 'A')}" is missing, although target_modules has "q_proj"`,
      {
        ...smallModel,
        layers: 3,
      },
    );
    await expectComplaint({ tensors: pair(1, q) }, `tensor "${nameOf(0, q, 'A')}" is missing`);
  });

  it('is rejected if its tensors do not match its targets', async () => {
    await expectComplaint(
      { config: { target_modules: ['v_proj', 'q_proj'] } },
      'although target_modules has "v_proj"',
    );
    await expectComplaint(
      { config: { target_modules: ['q_proj', 'lm_head'] } },
      'target_modules has "lm_head", which is not one of q_proj, k_proj',
    );
    const tensors = [...plainTensors, ...pair(1, 'mlp.up_proj')];
    await expectComplaint({ tensors }, 'does not match target_modules and layers_to_transform');
    await expectComplaint(
      { config: { layers_to_transform: [0] } },
      `tensor "${nameOf(1, q, 'A')}" does not match`,
    );
    await expectComplaint({ tensors: [] }, 'adapter_model.safetensors: has no tensors');
  });
});

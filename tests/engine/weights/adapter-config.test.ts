import { describe, expect, it } from 'vitest';
import { parseAdapterConfig, toPeftSettings } from '../../../lib/engine/weights/adapter-config.js';
import { toScaling, WeightsError } from '../../../lib/engine/weights/index.js';
import { plainConfig } from './adapter-files.js';

const parse = (changes: object) => parseAdapterConfig({ ...plainConfig, ...changes }, 'c.json');

describe('the settings of an adapter', () => {
  it('are read', () => {
    const changes = { lora_dropout: 0.05, use_rslora: true, base_model_name_or_path: 'a/b', lora_alpha: 3.5 };
    expect(parse(changes)).toEqual({
      rank: 2,
      alpha: 3.5,
      dropout: 0.05,
      useRslora: true,
      targetModules: ['q_proj'],
      layersToTransform: null,
      baseModel: 'a/b',
    });
  });

  it('may be incomplete, as in older versions of PEFT', () => {
    const config = parseAdapterConfig(
      { peft_type: 'LORA', r: 4, lora_alpha: 8, target_modules: 'all-linear' },
      'c.json',
    );
    expect(config).toMatchObject({ rank: 4, dropout: 0, useRslora: false, baseModel: null });
  });

  it('scale by the rank, or by its square root', () => {
    expect(toScaling({ alpha: 16, rank: 4, useRslora: false })).toBe(4);
    expect(toScaling({ alpha: 16, rank: 4, useRslora: true })).toBe(8);
  });

  it('are written as they were read', () => {
    const settings = {
      ...plainConfig,
      use_rslora: true,
      layers_to_transform: [1],
      base_model_name_or_path: 'a/b',
    };
    expect(toPeftSettings(parseAdapterConfig(settings, 'c.json'))).toEqual(settings);
  });

  it.each([
    [{ r: 0 }, 'c.json: r is 0; it must be a positive whole number'],
    [{ r: 2.5 }, 'r is 2.5'],
    [{ r: undefined }, 'r is undefined'],
    [{ lora_alpha: '16' }, 'lora_alpha is "16"'],
    [{ lora_dropout: 1 }, 'lora_dropout is 1'],
    [{ use_rslora: 1 }, 'use_rslora is 1'],
    [{ target_modules: null }, 'target_modules is undefined'],
    [{ target_modules: [] }, 'target_modules is []'],
    [{ target_modules: ['q_proj', 1] }, 'target_modules is ["q_proj",1]'],
    [{ layers_to_transform: [-1] }, 'layers_to_transform is [-1]'],
    [{ layers_to_transform: [[1]] }, 'layers_to_transform is [[1]]'],
    [{ base_model_name_or_path: 5 }, 'base_model_name_or_path is 5'],
  ])('are rejected if they are invalid: %j', (changes, complaint) => {
    expect(() => parse(changes)).toThrow(WeightsError);
    expect(() => parse(changes)).toThrow(complaint);
  });

  it.each([
    { peft_type: 'IA3' },
    { peft_type: undefined },
    { task_type: 'SEQ_CLS' },
    { bias: 'all' },
    { init_lora_weights: 'pissa' },
    { use_dora: true },
    { lora_bias: true },
    { fan_in_fan_out: true },
    { modules_to_save: ['lm_head'] },
    { rank_pattern: { q_proj: 4 } },
    { alpha_pattern: { q_proj: 4 } },
    { exclude_modules: 'k_proj' },
    { layer_replication: [[0, 1]] },
    { trainable_token_indices: [5] },
    { target_parameters: ['experts.up'] },
    { use_something_of_the_future: true },
    { future_config: { on: true } },
  ])('are rejected by name if they are not plain LoRA: %j', changes => {
    const [[name, value]] = Object.entries(changes) as [[string, unknown]];
    expect(() => parse(changes)).toThrow(WeightsError);
    expect(() => parse(changes)).toThrow(`c.json: ${name} is ${JSON.stringify(value) ?? 'undefined'}`);
  });

  it.each([
    { task_type: null },
    { init_lora_weights: 'gaussian' },
    { modules_to_save: [] },
    { inference_mode: false },
    { revision: 'main' },
    { peft_version: '0.99.0' },
    { future_size: 16 },
    { use_something_of_the_future: false },
  ])('are accepted if they have no effect: %j', changes => {
    expect(parse(changes)).toEqual(parse({}));
  });
});

// What LoRA adapts unless a job says otherwise: all that the base model has.
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openBaseModel } from '../../../lib/cloud/host/open-base-model.js';
import { completeConfig, listCustomSettings } from '../../../lib/cloud/jobs/defaults.js';
import { type TargetModule, TRAINING_DEFAULTS } from '../../../lib/contract/index.js';
import { openGoldenModel } from '../../support/golden-models.js';
import { makeModelFolder } from '../../support/tiny-model.js';

const usual = TRAINING_DEFAULTS.targetModules;

it.each([
  ['llama', usual, 'in_proj'],
  ['lfm2', ['q_proj', 'k_proj', 'v_proj', 'in_proj', 'out_proj', 'w1', 'w3', 'w2'], 'o_proj'],
  ['granite4', ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'input_linear', 'output_linear'], 'w1'],
  ['phi3', ['qkv_proj', 'o_proj', 'gate_up_proj', 'down_proj'], 'q_proj'],
] as const)(
  'a job for %s adapts all of its modules by default, and none of another',
  async (name, all, other) => {
    const folder = await makeModelFolder();
    await copyFile(join((await openGoldenModel(name)).folder, 'config.json'), join(folder, 'config.json'));
    const baseModel = openBaseModel(folder);
    const complete = (targetModules?: TargetModule[]) =>
      completeConfig(
        {
          model: 'm',
          datasetSource: { type: 'huggingface', name: 'some/rows' },
          ...(targetModules && { targetModules }),
        },
        baseModel,
      );
    expect(complete().targetModules).toEqual(all);
    expect(listCustomSettings(complete())).toEqual([]);
    expect(listCustomSettings(complete([all[0]]))).toEqual(['targetModules']);
    expect(() => complete([all[0], other])).toThrow(
      `The base model has no ${other} to adapt. It has ${all.join(', ')}.`,
    );
  },
);

it('a base model whose config is not supported is taken to have the usual modules', async () => {
  const folder = await makeModelFolder();
  await writeFile(join(folder, 'config.json'), '{"model_type":"mamba"}');
  const config = { model: 'm', datasetSource: { type: 'huggingface', name: 'some/rows' } } as const;
  expect(completeConfig(config, openBaseModel(folder)).targetModules).toEqual(usual);
});

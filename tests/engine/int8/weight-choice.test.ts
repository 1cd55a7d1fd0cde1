// What was decided about a model's weights on this machine.
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keepWeightChoice, readWeightChoice, type WeightChoice } from '../../../lib/engine/int8/index.js';
import { openModel } from '../../../lib/engine/model/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { tinyModel } from '../tiny-model.js';

const choice = (speedup: number): WeightChoice => ({ weights: 'int8', speedup });

it('the first decision counts, unless it cannot be read', async () => {
  const model = await openModel(await tinyModel());
  const folder = temporaryFolder('svc-choice');
  expect(await readWeightChoice(model, folder)).toBeNull();
  expect(await keepWeightChoice(model, folder, choice(1))).toEqual(choice(1));
  expect(await keepWeightChoice(model, folder, choice(2))).toEqual(choice(1));
  const files = async () => (await readdir(folder)).filter(name => name.endsWith('.choice'));
  const [name] = await files();
  await truncate(join(folder, name!));
  expect(await keepWeightChoice(model, folder, choice(3))).toEqual(choice(3));
  expect(await readWeightChoice(model, folder)).toEqual(choice(3));
  expect(await files()).toEqual([name]);
});

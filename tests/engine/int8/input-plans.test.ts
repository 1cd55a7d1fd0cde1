// Matrices whose inputs round badly are found, and their products stay close.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { baseModelFolder } from '../../../lib/base-model/index.js';
import { measureDivergence, roundModel, spreadIds } from '../../../lib/engine/int8/index.js';
import { type ModelSource, openModel } from '../../../lib/engine/model/index.js';
import { compute, exactIntegerForm } from '../../../lib/engine/runtime/index.js';
import { copyWithOutliers } from '../../support/changed-models.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { logitsOf } from '../model/logits-of.js';

const home = temporaryFolder('svc-outliers');
const changed = join(home, 'model');
await mkdir(changed);
await copyWithOutliers(baseModelFolder(), changed);
const [plain, spiky] = [await openModel(baseModelFolder()), await openModel(changed)];

async function round(model: ModelSource, folder: string) {
  let runs = 0;
  const path = join(home, folder);
  const counting: typeof compute = (graph, inputs) => {
    runs++;
    return compute(graph, inputs);
  };
  const form = await exactIntegerForm();
  const rounded = await roundModel(model, { folder: path, trains: false, form, compute: counting });
  const name = (await readdir(path)).find(name => name.endsWith('.inputs'))!;
  const file = join(path, name);
  return { rounded, runs, file, kept: await readFile(file, 'utf8') };
}

const IDS = Array.from({ length: 48 }, (_, i) => (i * 31) % 997);

/** The difference, relative to the length of the logits. */
async function errorOf(rounded: ModelSource, exact: ModelSource): Promise<number> {
  const [found, wanted] = [await logitsOf(rounded, IDS), await logitsOf(exact, IDS)];
  const off = found.map((value, i) => value - wanted[i]!);
  return Math.hypot(...off.slice(-4096)) / Math.hypot(...wanted.slice(-4096));
}

it('a model with outliers computes nearly what it computes without rounding', async () => {
  const without = await errorOf((await round(plain, 'plain')).rounded, plain);
  const withThem = await errorOf((await round(spiky, 'spiky')).rounded, spiky);
  expect(without).toBeGreaterThan(1e-4);
  expect(withThem).toBeLessThan(1.5 * without);
});

it('the model is computed layer by layer once; what was found is kept with the rounded weights', async () => {
  const first = await round(spiky, 'kept');
  const second = await round(spiky, 'kept');
  expect([first.runs, second.runs]).toEqual([spiky.config.layers + 1, 0]);
  expect(second.kept).toEqual(first.kept);
});

it('what was found is found again if its file is damaged, or lacks a matrix', async () => {
  const { kept, file } = await round(plain, 'damaged');
  const [, ...others] = JSON.parse(kept) as object[];
  for (const damaged of [kept.slice(0, 100), 'null', JSON.stringify(others)]) {
    await writeFile(file, damaged);
    expect((await round(plain, 'damaged')).kept).toBe(kept);
  }
});

it('how far a model is from itself is nothing, and from the rounded one a little', async () => {
  const ids = spreadIds(plain.config);
  const { rounded } = await round(plain, 'plain');
  const divergence = await measureDivergence(plain, rounded, ids, compute);
  expect(Math.abs(await measureDivergence(plain, plain, ids, compute))).toBeLessThan(1e-5);
  expect(divergence).toBeGreaterThan(1e-5);
  expect(divergence).toBeLessThan(0.02);
});

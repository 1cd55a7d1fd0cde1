// Matrices whose inputs have outliers are found, and their products stay close.
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { baseModelFolder } from '../../../lib/base-model/index.js';
import { roundModel } from '../../../lib/engine/int8/index.js';
import {
  buildLogitsGraph,
  type ModelSource,
  openModel,
  toLineInputs,
} from '../../../lib/engine/model/index.js';
import { compute, exactIntegerForm } from '../../../lib/engine/runtime/index.js';
import { copyWithOutliers } from '../../support/outliers.js';

let home: string;
let plain: ModelSource;
let spiky: ModelSource;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-outliers-'));
  const changed = join(home, 'model');
  await mkdir(changed);
  await copyWithOutliers(baseModelFolder(), changed);
  [plain, spiky] = (await Promise.all([baseModelFolder(), changed].map(openModel))) as [
    ModelSource,
    ModelSource,
  ];
});
afterAll(() => rm(home, { recursive: true }));

async function round(model: ModelSource, folder: string) {
  let runs = 0;
  const rounded = await roundModel(model, {
    folder: join(home, folder),
    trains: false,
    form: await exactIntegerForm(),
    compute(graph, inputs) {
      runs++;
      return compute(graph, inputs);
    },
  });
  const files = await readdir(join(home, folder));
  const kept = await readFile(join(home, folder, files.find(name => name.endsWith('.sensitive'))!), 'utf8');
  return { rounded, runs, sensitive: kept.split('\n').slice(0, -1) };
}

const IDS = Array.from({ length: 48 }, (_, i) => (i * 31) % 997);

async function logitsOf({ config, weights }: ModelSource): Promise<Float32Array> {
  const { graph } = buildLogitsGraph(config, weights, { rank: 1, scaling: 1, modules: [] }, IDS.length);
  return (await compute(graph, toLineInputs(IDS))).logits!;
}

/** The difference, relative to the length of the logits. */
async function errorOf(rounded: ModelSource, exact: ModelSource): Promise<number> {
  const [found, wanted] = [await logitsOf(rounded), await logitsOf(exact)];
  return (
    Math.hypot(...found.map((value, i) => value - wanted[i]!).slice(-4096)) /
    Math.hypot(...wanted.slice(-4096))
  );
}

it('a model without outliers has none', async () => {
  expect((await round(plain, 'plain')).sensitive).toEqual([]);
});

it('with outliers after the norms, what follows the norms is found, and nothing else', async () => {
  const { sensitive } = await round(spiky, 'spiky');
  const wanted = Array.from({ length: spiky.config.layers }, (_, layer) =>
    ['self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj', 'mlp.gate_proj', 'mlp.up_proj'].map(
      module => `model.layers.${layer}.${module}.weight`,
    ),
  );
  expect(sensitive.sort()).toEqual(wanted.flat().sort());
});

it('a model with outliers computes nearly what it computes without rounding', async () => {
  const without = await errorOf((await round(plain, 'plain')).rounded, plain);
  const withThem = await errorOf((await round(spiky, 'spiky')).rounded, spiky);
  expect(withThem).toBeLessThan(1.1 * without);
});

it('what was found is kept with the rounded weights', async () => {
  const first = await round(spiky, 'kept');
  const second = await round(spiky, 'kept');
  expect([first.runs, second.runs]).toEqual([1, 0]);
  expect(second.sensitive).toEqual(first.sensitive);
});

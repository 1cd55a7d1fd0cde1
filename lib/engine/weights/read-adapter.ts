// Reads a LoRA adapter in PEFT's layout, and checks it against itself and against the model that it is for.
import { resolve } from 'node:path';
import { ADAPTER_CONFIG, ADAPTER_TENSORS } from '../run-layout.js';
import { type AdapterConfig, parseAdapterConfig, toScaling } from './adapter-config.js';
import { checkCoverage } from './adapter-coverage.js';
import { parseJsonObject } from './json.js';
import {
  compareSites,
  type LoraModule,
  type LoraSite,
  parseTensorName,
  toTensorName,
} from './lora-module.js';
import { openWeightsFile } from './open-weights.js';
import { readWhole } from './read-file.js';
import type { WeightFiles } from './weight-files.js';
import { WeightsError } from './weights-error.js';

/** The two matrices of one projection of one layer; its output grows by scaling * B A x. */
export interface LoraPair extends LoraSite {
  /** [rank, inputs], row by row. */
  a: Float32Array;
  /** [outputs, rank], row by row. */
  b: Float32Array;
}

/** An adapter as it was read. */
export interface Adapter {
  config: AdapterConfig;
  /** What the product of B and A is multiplied by. */
  scaling: number;
  /** Layer by layer, in each the projections in the order of `loraModules`. */
  tensors: LoraPair[];
}

/** The model that an adapter is for. */
export interface AdaptedModel {
  layers: number;
  /** [outputs, inputs] of a projection, as its weight is stored. */
  shapeOf(module: LoraModule): readonly [number, number];
}

const longestConfig = 1_000_000;

/** Reads an adapter's folder. With the model given, an adapter that does not fit it is a `WeightsError` too. */
export async function readAdapter(folder: string, model?: AdaptedModel): Promise<Adapter> {
  const configFile = resolve(folder, ADAPTER_CONFIG);
  const settings = parseJsonObject(await readWhole(configFile, longestConfig), configFile, 'content');
  const config = parseAdapterConfig(settings, configFile);

  const file = resolve(folder, ADAPTER_TENSORS);
  const weights = await openWeightsFile(file);
  const sites = findSites(weights.names(), file, model?.layers);
  for (const site of sites) checkShapes(weights, site, config.rank, model?.shapeOf(site.module));
  checkCoverage(config, sites, model?.layers ?? sites.at(-1)!.layer + 1, file);

  const tensors: LoraPair[] = [];
  for (const site of sites) tensors.push({ ...site, ...(await readPair(weights, site)) });
  return { config, scaling: toScaling(config), tensors };
}

/** The projections that have tensors, in order; each tensor must be known, and have its other half. */
function findSites(names: string[], file: string, layers = Number.POSITIVE_INFINITY): LoraSite[] {
  const sites: LoraSite[] = [];
  const known = new Set(names);
  for (const tensor of names) {
    const site = parseTensorName(tensor);
    if (!site) throw new WeightsError(file, 'belongs to no module that can be adapted', { tensor });
    const { layer, module, half } = site;
    if (layer >= layers)
      throw new WeightsError(file, `is beyond the ${layers} layers of the model`, { tensor });
    const other = toTensorName(site, half === 'A' ? 'B' : 'A');
    if (!known.has(other)) throw new WeightsError(file, `is there, but not ${other}`, { tensor });
    if (half === 'A') sites.push({ layer, module });
  }
  if (sites.length === 0) throw new WeightsError(file, 'holds no tensors');
  return sites.sort(compareSites);
}

function checkShapes(
  weights: WeightFiles,
  site: LoraSite,
  rank: number,
  shape?: readonly [number, number],
): void {
  const a = weights.describe(toTensorName(site, 'A'));
  const b = weights.describe(toTensorName(site, 'B'));
  weights.expectShape(a.name, [rank, shape?.[1] ?? a.shape[1] ?? 0]);
  weights.expectShape(b.name, [shape?.[0] ?? b.shape[0] ?? 0, rank]);
}

async function readPair(weights: WeightFiles, site: LoraSite) {
  const [a, b] = await Promise.all([
    weights.readFloat32(toTensorName(site, 'A')),
    weights.readFloat32(toTensorName(site, 'B')),
  ]);
  return { a, b };
}

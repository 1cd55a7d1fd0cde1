// Reads a LoRA adapter in PEFT's layout, whole or pair by pair. Checks that it is consistent and fits its model.
import { resolve } from 'node:path';
import { ADAPTER_CONFIG, ADAPTER_TENSORS } from '../run-layout.js';
import { type AdapterConfig, parseAdapterConfig, toScaling } from './adapter-config.js';
import { parseJsonObject } from './json.js';
import { checkCoverage, compareSites, type LoraSite, parseTensorName, toTensorName } from './lora-module.js';
import { openWeightsFile } from './open-weights.js';
import type { Module } from './projections.js';
import { readWhole } from './read-file.js';
import type { WeightFiles } from './weight-files.js';
import { WeightsError } from './weights-error.js';

/** The two matrices of one projection of one layer, which add scaling * B A x to its output. */
export interface LoraPair extends LoraSite {
  /** [rank, inputs] */
  a: Float32Array;
  /** [outputs, rank] */
  b: Float32Array;
}

interface Adapter {
  config: AdapterConfig;
  /** The factor of B A. */
  scaling: number;
  /** Ordered by layer, then as in `MODULES`. */
  tensors: LoraPair[];
}

/** An adapter whose matrices are read on demand. */
export interface OpenedAdapter extends Pick<Adapter, 'config' | 'scaling'> {
  /** Ordered by layer, then as in `MODULES`. */
  sites: LoraSite[];
  readPair(site: LoraSite): Promise<LoraPair>;
}

export interface AdaptedModel {
  layers: number;
  /** The projections of a layer. */
  modulesOf(layer: number): readonly Module[];
  /** [outputs, inputs] of a projection, as its weight is stored. */
  shapeOf(module: Module): readonly [number, number];
}

const longestConfig = 1_000_000;

/** Reads an adapter's folder. Throws a `WeightsError` if it is broken, or does not fit the model, if given. */
export async function readAdapter(folder: string, model?: AdaptedModel): Promise<Adapter> {
  const { config, scaling, sites, readPair } = await openAdapter(folder, model);
  const tensors: LoraPair[] = [];
  for (const site of sites) tensors.push(await readPair(site));
  return { config, scaling, tensors };
}

/** The same, except for the values: checks names, types and shapes. */
export async function openAdapter(folder: string, model?: AdaptedModel): Promise<OpenedAdapter> {
  const configFile = resolve(folder, ADAPTER_CONFIG);
  const settings = parseJsonObject(await readWhole(configFile, longestConfig), configFile, 'content');
  const config = parseAdapterConfig(settings, configFile);

  const file = resolve(folder, ADAPTER_TENSORS);
  const weights = await openWeightsFile(file);
  const sites = findSites(weights.names(), file, model);
  for (const site of sites) checkShapes(weights, site, config.rank, model?.shapeOf(site.module));
  checkCoverage(config, sites, model ? listSites(model) : sites, file);
  const readPair = async (site: LoraSite) => ({ ...site, ...(await readHalves(weights, site)) });
  return { config, scaling: toScaling(config), sites, readPair };
}

/** The projections that have tensors, in order. Rejects unknown tensors and incomplete pairs. */
function findSites(names: string[], file: string, model?: AdaptedModel): LoraSite[] {
  const sites: LoraSite[] = [];
  const known = new Set(names);
  for (const tensor of names) {
    const fail = (problem: string) => new WeightsError(file, problem, { tensor });
    const site = parseTensorName(tensor);
    if (!site) throw fail('does not belong to a module that can be adapted');
    const { layer, module, half } = site;
    if (model && layer >= model.layers) throw fail(`is beyond the model's ${model.layers} layers`);
    if (model && !model.modulesOf(layer).includes(module))
      throw fail('belongs to a module that the model does not have');
    const other = toTensorName(site, half === 'A' ? 'B' : 'A');
    if (!known.has(other)) throw fail(`has no counterpart ${other}`);
    if (half === 'A') sites.push({ layer, module });
  }
  if (sites.length === 0) throw new WeightsError(file, 'has no tensors');
  return sites.sort(compareSites);
}

function listSites({ layers, modulesOf }: AdaptedModel): LoraSite[] {
  return Array.from({ length: layers }, (_, layer) =>
    modulesOf(layer).map(module => ({ layer, module })),
  ).flat();
}

function checkShapes(
  weights: WeightFiles,
  site: LoraSite,
  rank: number,
  shape?: readonly [number, number],
): void {
  const [a, b] = [toTensorName(site, 'A'), toTensorName(site, 'B')];
  weights.expectShape(a, [rank, shape?.[1] ?? weights.describe(a).shape[1] ?? 0]);
  weights.expectShape(b, [shape?.[0] ?? weights.describe(b).shape[0] ?? 0, rank]);
}

async function readHalves(weights: WeightFiles, site: LoraSite) {
  const [a, b] = await Promise.all([
    weights.readFloat32(toTensorName(site, 'A')),
    weights.readFloat32(toTensorName(site, 'B')),
  ]);
  return { a, b };
}

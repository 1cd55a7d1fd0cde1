// Where LoRA adapts a model: PEFT's names for the tensors of a projection, and which projections an adapter has.
import type { AdapterConfig } from './adapter-config.js';
import { toTextName } from './open-weights.js';
import { findModule, MODULES, type Module, toTargetName } from './projections.js';
import { quote, WeightsError } from './weights-error.js';

export interface LoraSite {
  layer: number;
  module: Module;
}

export type LoraHalf = 'A' | 'B';

/** The path of a projection in the model, which PEFT matches against `target_modules`. */
export function toModulePath({ layer, module }: LoraSite): string {
  return `model.layers.${layer}.${module}`;
}

export function toTensorName(site: LoraSite, half: LoraHalf): string {
  return `base_model.model.${toModulePath(site)}.lora_${half}.weight`;
}

const tensorName = /^base_model\.model\.model\.layers\.(0|[1-9]\d{0,4})\.([\w.]+)\.lora_([AB])\.weight$/;

/** The projection and the half that a tensor belongs to, or undefined for an unknown name. */
export function parseTensorName(name: string): (LoraSite & { half: LoraHalf }) | undefined {
  const [, layer, path, half] = tensorName.exec(name) ?? [];
  const module = findModule(path);
  return module && { layer: Number(layer), module, half: half as LoraHalf };
}

export function compareSites(a: LoraSite, b: LoraSite): number {
  return a.layer - b.layer || MODULES.indexOf(a.module) - MODULES.indexOf(b.module);
}

/** Modules of a model that PEFT adapts by name, and svc does not. */
const OUTSIDE_LAYERS = ['model.embed_tokens', 'lm_head'];

/**
 * Checks that an adapter has tensors for exactly those of these projections that its config says it adapts. A target that the
 * model does not have changes nothing, as in PEFT. Names given as a string cannot be checked.
 */
export function checkCoverage(
  { targetModules, excludeModules, layersToTransform }: AdapterConfig,
  sites: readonly LoraSite[],
  all: readonly LoraSite[],
  file: string,
): void {
  if (typeof targetModules === 'string' || typeof excludeModules === 'string') return;
  const targets = new Set(targetModules.map(toTextName));
  const excluded = new Set(excludeModules?.map(toTextName));
  const findTarget = (path: string) => {
    const ends = listEnds(path);
    return ends.some(end => excluded.has(end)) ? undefined : ends.find(end => targets.has(end));
  };
  const adaptedLayers = layersToTransform && new Set(layersToTransform);
  const present = new Set(sites.map(toModulePath));
  for (const site of all) {
    const path = toModulePath(site);
    const target = (adaptedLayers?.has(site.layer) ?? true) ? findTarget(path) : undefined;
    if ((target !== undefined) === present.has(path)) continue;
    const problem =
      target === undefined
        ? 'does not match target_modules and layers_to_transform in adapter_config.json'
        : `is missing, although target_modules has ${quote(target)}`;
    throw new WeightsError(file, problem, { tensor: toTensorName(site, 'A') });
  }
  const names = [...new Set(all.map(({ module }) => toTargetName(module)))];
  for (const target of adaptedLayers ? [] : OUTSIDE_LAYERS.map(findTarget)) {
    if (target === undefined) continue;
    const problem = `target_modules has ${quote(target)}, which is not one of ${names.join(', ')}`;
    throw new WeightsError(file, problem);
  }
}

/** The names that match this path: the path itself and, as in PEFT, its endings. */
export function listEnds(path: string): string[] {
  return path.split('.').map((_, index, parts) => parts.slice(index).join('.'));
}

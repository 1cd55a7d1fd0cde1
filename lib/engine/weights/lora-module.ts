// The projections of a layer that LoRA can adapt, PEFT's names for their tensors, and which of them an adapter has.
import type { AdapterConfig } from './adapter-config.js';
import { quote, WeightsError } from './weights-error.js';

const GROUPS = {
  attention: ['q_proj', 'k_proj', 'v_proj'],
  output: ['o_proj'],
  feed: ['gate_proj', 'up_proj'],
  down: ['down_proj'],
} as const;

export type ModuleGroup = keyof typeof GROUPS;

export type Module = (typeof GROUPS)[ModuleGroup][number];

/** The projections that share an input, and so are computed as one, in the order in which a layer uses them. */
export const MODULE_GROUPS: Readonly<Record<ModuleGroup, readonly Module[]>> = GROUPS;

/** All projections that can be adapted, in the order in which a layer uses them. */
export const MODULES: readonly Module[] = Object.values(MODULE_GROUPS).flat();

const ATTENTION = [...MODULE_GROUPS.attention, ...MODULE_GROUPS.output];

export interface LoraSite {
  layer: number;
  module: Module;
}

export type LoraHalf = 'A' | 'B';

/** The path of a projection in the model, which PEFT matches against `target_modules`. */
export function toModulePath({ layer, module }: LoraSite): string {
  return `model.layers.${layer}.${ATTENTION.includes(module) ? 'self_attn' : 'mlp'}.${module}`;
}

export function toTensorName(site: LoraSite, half: LoraHalf): string {
  return `base_model.model.${toModulePath(site)}.lora_${half}.weight`;
}

const tensorName = /^base_model\.model\.model\.layers\.(0|[1-9]\d{0,4})\.\w+\.(\w+)\.lora_([AB])\.weight$/;

/** The projection and the half that a tensor belongs to, or undefined for an unknown name. */
export function parseTensorName(name: string): (LoraSite & { half: LoraHalf }) | undefined {
  const [, layer, module, half] = tensorName.exec(name) ?? [];
  const site = { layer: Number(layer), module: module as Module, half: half as LoraHalf };
  return MODULES.includes(site.module) && toTensorName(site, site.half) === name ? site : undefined;
}

export function compareSites(a: LoraSite, b: LoraSite): number {
  return a.layer - b.layer || MODULES.indexOf(a.module) - MODULES.indexOf(b.module);
}

/**
 * Checks that an adapter for a model with this many layers has tensors for exactly the projections that its config says it
 * adapts. Targets given as a string cannot be checked.
 */
export function checkCoverage(config: AdapterConfig, sites: LoraSite[], layers: number, file: string): void {
  if (typeof config.targetModules === 'string') return;
  const targets = new Set(config.targetModules);
  const adaptedLayers = config.layersToTransform && new Set(config.layersToTransform);
  const present = new Set(sites.map(toModulePath));
  const unused = new Set(targets);
  for (const site of listSites(layers)) {
    const path = toModulePath(site);
    const isAdapted = adaptedLayers?.has(site.layer) ?? true;
    const matched = isAdapted ? listEnds(path).filter(end => targets.has(end)) : [];
    for (const target of matched) unused.delete(target);
    if (matched.length > 0 === present.has(path)) continue;
    const problem = present.has(path)
      ? 'does not match target_modules and layers_to_transform in adapter_config.json'
      : `is missing, although target_modules has ${quote(matched[0])}`;
    throw new WeightsError(file, problem, { tensor: toTensorName(site, 'A') });
  }
  for (const target of unused)
    throw new WeightsError(
      file,
      `target_modules has ${quote(target)}, which is not one of ${MODULES.join(', ')}`,
    );
}

/** The names that match this path: the path itself and, as in PEFT, its endings. */
function listEnds(path: string): string[] {
  return path.split('.').map((_, index, parts) => parts.slice(index).join('.'));
}

function* listSites(layers: number): Iterable<LoraSite> {
  for (let layer = 0; layer < layers; layer++) for (const module of MODULES) yield { layer, module };
}

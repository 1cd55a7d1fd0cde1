// Checks that an adapter has tensors for exactly the projections that its config says it adapts.
import type { AdapterConfig } from './adapter-config.js';
import { type LoraSite, loraModules, toModulePath, toTensorName } from './lora-module.js';
import { quote, WeightsError } from './weights-error.js';

/** Checks the sites of an adapter for a model with this many layers. Targets given as a string cannot be checked. */
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
      `target_modules has ${quote(target)}, which is not one of ${loraModules.join(', ')}`,
    );
}

/** The names that match this path: the path itself and, as in PEFT, its endings. */
function listEnds(path: string): string[] {
  return path.split('.').map((_, index, parts) => parts.slice(index).join('.'));
}

function* listSites(layers: number): Iterable<LoraSite> {
  for (let layer = 0; layer < layers; layer++) for (const module of loraModules) yield { layer, module };
}

// Whether an adapter has a tensor pair for each projection that it says it adapts, and for no other.
import type { AdapterConfig } from './adapter-config.js';
import { type LoraSite, loraModules, toModulePath, toTensorName } from './lora-module.js';
import { quote, WeightsError } from './weights-error.js';

/** Checks the sites of an adapter for a model of this many layers. A text as target says nothing that can be checked. */
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
      ? 'is not what target_modules and layers_to_transform of adapter_config.json say'
      : `is missing, although target_modules has ${quote(matched[0])}`;
    throw new WeightsError(file, problem, { tensor: toTensorName(site, 'A') });
  }
  for (const target of unused)
    throw new WeightsError(
      file,
      `target_modules has ${quote(target)}, which is none of ${loraModules.join(', ')}`,
    );
}

/** What a name in a list may be to mean this path: the whole of it or, as PEFT has it, its end. */
function listEnds(path: string): string[] {
  return path.split('.').map((_, index, parts) => parts.slice(index).join('.'));
}

function* listSites(layers: number): Iterable<LoraSite> {
  for (let layer = 0; layer < layers; layer++) for (const module of loraModules) yield { layer, module };
}

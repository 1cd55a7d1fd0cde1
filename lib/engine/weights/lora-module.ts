// The projections of a layer that LoRA can adapt, PEFT's names for their tensors, and which of them an adapter has.
import type { AdapterConfig } from './adapter-config.js';
import { quote, WeightsError } from './weights-error.js';

const QKV = ['self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj'] as const;
const ATTENTION = { in: QKV, out: ['self_attn.o_proj'] } as const;
const FEED_FORWARD = { feed: ['mlp.gate_proj', 'mlp.up_proj'], down: ['mlp.down_proj'] } as const;

/**
 * The projections of layers, by architecture: those of what mixes tokens, for each kind of layer, and those of the feed-forward
 * part. Each is a path in the layer. What shares an input is in one group.
 */
const PROJECTIONS = {
  llama: {
    attention: ATTENTION,
    ...FEED_FORWARD,
  },
  lfm2: {
    attention: {
      in: QKV,
      out: ['self_attn.out_proj'],
    },
    convolution: { in: ['conv.in_proj'], out: ['conv.out_proj'] },
    feed: ['feed_forward.w1', 'feed_forward.w3'],
    down: ['feed_forward.w2'],
  },
  granite4: {
    attention: ATTENTION,
    feed: ['shared_mlp.input_linear'],
    down: ['shared_mlp.output_linear'],
  },
  qwen3_5: {
    attention: ATTENTION,
    delta: {
      in: [
        'linear_attn.in_proj_qkv',
        'linear_attn.in_proj_z',
        'linear_attn.in_proj_b',
        'linear_attn.in_proj_a',
      ],
      out: ['linear_attn.out_proj'],
    },
    ...FEED_FORWARD,
  },
  phi3: {
    attention: { in: ['self_attn.qkv_proj'], out: ['self_attn.o_proj'] },
    feed: ['mlp.gate_up_proj'],
    down: ['mlp.down_proj'],
  },
} as const;

type Flat<T> = T extends readonly (infer Path)[] ? Path : { [Name in keyof T]: Flat<T[Name]> }[keyof T];

/** A projection that LoRA can adapt: its path in a layer. */
export type Module = Flat<typeof PROJECTIONS>;

/** The groups of a layer, in the order in which it uses them: into and out of what mixes tokens, then the feed-forward part. */
export const GROUPS = ['in', 'out', 'feed', 'down'] as const;

export type ModuleGroup = (typeof GROUPS)[number];

export type LayerModules = Readonly<Record<ModuleGroup, readonly Module[]>>;

type MixerModules = Pick<LayerModules, 'in' | 'out'>;

export interface Projections extends Pick<LayerModules, 'feed' | 'down'> {
  attention: MixerModules;
  convolution?: MixerModules;
  delta?: MixerModules;
}

export const MODULE_PATHS: Readonly<Record<keyof typeof PROJECTIONS, Projections>> = PROJECTIONS;

/** All projections of all architectures, in the order in which a layer uses them. */
export const MODULES: readonly Module[] = [
  ...new Set(
    GROUPS.flatMap(group =>
      Object.values(MODULE_PATHS).flatMap(({ attention, convolution, delta, ...rest }) =>
        [attention, convolution ?? {}, delta ?? {}, rest].flatMap(
          modules => (modules as Partial<LayerModules>)[group] ?? [],
        ),
      ),
    ),
  ),
];

type End<Path> = Path extends `${string}.${infer Name}` ? Name : never;

/** The name that `target_modules` usually has: the end of the path. */
export type TargetName = End<Module>;

export function toTargetName(module: Module): TargetName {
  return module.slice(module.lastIndexOf('.') + 1) as TargetName;
}

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
  const module = MODULES.find(module => module === path);
  return module && { layer: Number(layer), module, half: half as LoraHalf };
}

export function compareSites(a: LoraSite, b: LoraSite): number {
  return a.layer - b.layer || MODULES.indexOf(a.module) - MODULES.indexOf(b.module);
}

/**
 * Checks that an adapter has tensors for exactly those of these projections that its config says it adapts. Targets given as
 * a string cannot be checked.
 */
export function checkCoverage(
  config: AdapterConfig,
  sites: readonly LoraSite[],
  all: readonly LoraSite[],
  file: string,
): void {
  if (typeof config.targetModules === 'string') return;
  const targets = new Set(config.targetModules);
  const adaptedLayers = config.layersToTransform && new Set(config.layersToTransform);
  const present = new Set(sites.map(toModulePath));
  const unused = new Set(targets);
  for (const site of all) {
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
  const names = [...new Set(all.map(({ module }) => toTargetName(module)))];
  for (const target of unused)
    throw new WeightsError(
      file,
      `target_modules has ${quote(target)}, which is not one of ${names.join(', ')}`,
    );
}

/** The names that match this path: the path itself and, as in PEFT, its endings. */
export function listEnds(path: string): string[] {
  return path.split('.').map((_, index, parts) => parts.slice(index).join('.'));
}

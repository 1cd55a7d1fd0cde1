// The projections of a layer that LoRA can adapt, and PEFT's names for their tensors.

const parents = {
  q_proj: 'self_attn',
  k_proj: 'self_attn',
  v_proj: 'self_attn',
  o_proj: 'self_attn',
  gate_proj: 'mlp',
  up_proj: 'mlp',
  down_proj: 'mlp',
} as const;

/** The name of a projection. */
export type LoraModule = keyof typeof parents;

/** All projections that can be adapted, in the order in which a layer uses them. */
export const loraModules = Object.keys(parents) as LoraModule[];

/** One projection of one layer. */
export interface LoraSite {
  layer: number;
  module: LoraModule;
}

export type LoraHalf = 'A' | 'B';

/** The path of a projection in the model, which PEFT matches against `target_modules`. */
export function toModulePath({ layer, module }: LoraSite): string {
  return `model.layers.${layer}.${parents[module]}.${module}`;
}

export function toTensorName(site: LoraSite, half: LoraHalf): string {
  return `base_model.model.${toModulePath(site)}.lora_${half}.weight`;
}

const tensorName = /^base_model\.model\.model\.layers\.(0|[1-9]\d{0,4})\.\w+\.(\w+)\.lora_([AB])\.weight$/;

/** The projection and the half that a tensor belongs to, or undefined for an unknown name. */
export function parseTensorName(name: string): (LoraSite & { half: LoraHalf }) | undefined {
  const [, layer, module, half] = tensorName.exec(name) ?? [];
  if (!isLoraModule(module)) return undefined;
  const site = { layer: Number(layer), module, half: half as LoraHalf };
  return toTensorName(site, site.half) === name ? site : undefined;
}

function isLoraModule(name: unknown): name is LoraModule {
  return typeof name === 'string' && Object.hasOwn(parents, name);
}

/** Orders sites by layer, then by use. */
export function compareSites(a: LoraSite, b: LoraSite): number {
  return a.layer - b.layer || loraModules.indexOf(a.module) - loraModules.indexOf(b.module);
}

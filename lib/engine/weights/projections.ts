// The projections of layers that LoRA can adapt: everything that is known of each, in whichever architecture it is.

/** A width of a model, whose number follows from its config. */
export type Width =
  | 'hidden'
  | 'feed'
  | 'queries'
  /** Queries and, where an architecture has them, a gate for each. */
  | 'asked'
  | 'keys'
  | 'deltaHeads'
  | 'deltaValues'
  /** Queries, keys and values of a delta rule. */
  | 'deltaChannels';

interface Projection {
  from: Width;
  /** What it computes, side by side: a fused one has several. */
  to: readonly Width[];
  /** llama.cpp's name. A fused one may be several there, which have the same number of its rows each. */
  llamaCpp: string | readonly string[];
  /** mlx-lm's paths, where it has others. */
  mlx?: readonly string[];
  /** llama.cpp's mixtures of formats give it more bits in some layers. */
  needsBits?: true;
}

/** By path in a layer, in the order of their use. */
const ALL = {
  'self_attn.q_proj': { from: 'hidden', to: ['asked'], llamaCpp: 'attn_q' },
  'self_attn.k_proj': { from: 'hidden', to: ['keys'], llamaCpp: 'attn_k' },
  'self_attn.v_proj': { from: 'hidden', to: ['keys'], llamaCpp: 'attn_v', needsBits: true },
  'conv.in_proj': { from: 'hidden', to: ['hidden', 'hidden', 'hidden'], llamaCpp: 'shortconv.in_proj' },
  'linear_attn.in_proj_qkv': { from: 'hidden', to: ['deltaChannels'], llamaCpp: 'attn_qkv' },
  'linear_attn.in_proj_z': { from: 'hidden', to: ['deltaValues'], llamaCpp: 'attn_gate' },
  'linear_attn.in_proj_b': { from: 'hidden', to: ['deltaHeads'], llamaCpp: 'ssm_beta' },
  'linear_attn.in_proj_a': { from: 'hidden', to: ['deltaHeads'], llamaCpp: 'ssm_alpha' },
  'self_attn.qkv_proj': {
    from: 'hidden',
    to: ['queries', 'keys', 'keys'],
    llamaCpp: 'attn_qkv',
    needsBits: true,
  },

  'self_attn.o_proj': { from: 'queries', to: ['hidden'], llamaCpp: 'attn_output' },
  'self_attn.out_proj': { from: 'queries', to: ['hidden'], llamaCpp: 'attn_output' },
  'conv.out_proj': { from: 'hidden', to: ['hidden'], llamaCpp: 'shortconv.out_proj' },
  'linear_attn.out_proj': { from: 'deltaValues', to: ['hidden'], llamaCpp: 'ssm_out' },

  'mlp.gate_proj': { from: 'hidden', to: ['feed'], llamaCpp: 'ffn_gate' },
  'mlp.up_proj': { from: 'hidden', to: ['feed'], llamaCpp: 'ffn_up' },
  'feed_forward.w1': { from: 'hidden', to: ['feed'], llamaCpp: 'ffn_gate' },
  'feed_forward.w3': { from: 'hidden', to: ['feed'], llamaCpp: 'ffn_up' },
  'shared_mlp.input_linear': {
    from: 'hidden',
    to: ['feed', 'feed'],
    llamaCpp: ['ffn_gate', 'ffn_up'],
    mlx: ['mlp.gate_proj', 'mlp.up_proj'],
  },
  'mlp.gate_up_proj': { from: 'hidden', to: ['feed', 'feed'], llamaCpp: 'ffn_up' },

  'mlp.down_proj': { from: 'feed', to: ['hidden'], llamaCpp: 'ffn_down', needsBits: true },
  'feed_forward.w2': { from: 'feed', to: ['hidden'], llamaCpp: 'ffn_down', needsBits: true },
  'shared_mlp.output_linear': {
    from: 'feed',
    to: ['hidden'],
    llamaCpp: 'ffn_down',
    mlx: ['mlp.down_proj'],
    needsBits: true,
  },
} as const satisfies Readonly<Record<string, Projection>>;

/** The path of a projection in a layer. */
export type Module = keyof typeof ALL;

export const PROJECTIONS: Readonly<Record<Module, Projection>> = ALL;

export const MODULES = Object.keys(ALL) as readonly Module[];

/** Undefined if the path is not one of a projection. */
export const findModule = (path: string | undefined) => MODULES.find(module => module === path);

type End<Path> = Path extends `${string}.${infer Name}` ? Name : never;

/** The name that `target_modules` usually has: the end of the path. */
export type TargetName = End<Module>;

export function toTargetName(module: Module): TargetName {
  return module.slice(module.lastIndexOf('.') + 1) as TargetName;
}

/**
 * The groups of a layer, in the order in which it uses them: into and out of what mixes tokens, then the feed-forward part. What is
 * in one group shares an input.
 */
export const GROUPS = ['in', 'out', 'feed', 'down'] as const;

export type ModuleGroup = (typeof GROUPS)[number];

export type LayerModules = Readonly<Record<ModuleGroup, readonly Module[]>>;

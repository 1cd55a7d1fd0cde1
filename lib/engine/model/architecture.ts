// What is known of an architecture: everything that a `config.json` does not say itself.
import type { LayerModules, Module } from '../weights/index.js';
import type { Settings } from './settings.js';

/**
 * The norms of a layer, by what reads their result, or by what they follow; and those of each head. `attention` is before what
 * mixes tokens, whichever that is.
 */
export type NormPlace = 'attention' | 'afterAttention' | 'feed' | 'afterFeed' | 'q' | 'k';

/** How the gate of a layer's feed-forward part opens. */
export type Activation = 'silu' | 'gelu';

/** What a model multiplies by a number. */
export interface Scales {
  embeddings: number;
  scores: number;
  /** What a layer adds to the residual stream. */
  updates: number;
  logits: number;
}

/** What mixes the tokens in a layer. */
export type MixerKind = 'attention' | 'convolution' | 'delta';

type MixerModules = Pick<LayerModules, 'in' | 'out'>;

/** The projections of what mixes tokens, for each kind of layer, and those of the feed-forward part. */
export interface Projections
  extends Pick<LayerModules, 'feed' | 'down'>,
    Record<'attention', MixerModules>,
    Partial<Record<'convolution' | 'delta', MixerModules>> {}

export interface Architecture {
  /** In transformers. */
  className: string;
  /** The `model_type` of models of texts and images that have one of this architecture inside. */
  inside?: string;
  projections: Projections;
  /** The names of a layer's norms; what is missing is not normalized. */
  norms: Readonly<Partial<Record<NormPlace, string>>>;
  /** Those of queries and keys are of all heads together. */
  normsAllHeads?: true;
  /** Norms multiply by 1 + their weights. */
  normsAddOne?: true;
  /** The norm after the last layer, if it has another name. */
  finalNorm?: string;
  activation?: Activation;
  /** The projections with a bias, by the setting that adds them; those of `always` have one without a setting. */
  biases: Readonly<Record<string, readonly Module[]>>;
  /** Settings that a config may leave out, as transformers has them. */
  defaults?: Settings;
  /** Settings that change what a model computes, with the only value that is computed here. */
  only?: Settings;
  /** Settings that this architecture reads in addition to `COMPUTED`. */
  reads?: readonly string[];
  /** What a config says under other names than most. */
  rename?: Readonly<Record<string, string>>;
  /** How wide the feed-forward part is, where `intermediate_size` is not its width. */
  feedWidth?(settings: Settings): number;
  /**
   * The layers that do not attend: where they are, the path of their weights in a layer, and the setting that says how
   * many tokens they reach.
   */
  convolution?: {
    isIn(settings: Settings, layer: number): boolean;
    path: string;
    length: string;
  };
  /** The layers with a gated delta rule: where they are. */
  delta?: { isIn(settings: Settings, layer: number): boolean };
  /** The projection of queries also has a gate for what each head reads. */
  gatesAttention?: true;
  /** Whether a layer attends to a window of `sliding_window` tokens, where `layer_types` does not say. */
  isWindowed?(settings: Settings, layer: number): boolean;
  /** Whether a layer turns queries and keys by position, which all do by default. */
  isTurned?(settings: Settings, layer: number): boolean;
  /** Settings with which transformers computes the same where a config leaves them out. */
  forTransformers?(settings: Settings): Settings;
  /** The setting with the base of the positions in layers with a window. */
  windowTheta?: string;
  /** In place of 1, and for scores in place of the inverse root of a head's width. `read`: a setting. */
  scales?(read: (name: string) => number, hidden: number): Partial<Scales>;
  llamaCpp: LlamaCppLayout;
  /** mlx-lm's path of the layers, if it has another one. */
  mlxLayers?: string;
}

/** How llama.cpp represents the architecture, and what it computes of it. */
interface LlamaCppLayout {
  /** Several architectures may have the same name: files with it are of the first one in the table. */
  name: string;
  /** The rows of queries and keys that positions turn together are neighbors. */
  pairsRows: boolean;
  /** Norms with another name than in most architectures. */
  norms?: Partial<Record<NormPlace, string>>;
  /** The projections that may have a bias. */
  biases?: readonly Module[];
  /** It computes windows; otherwise, texts must be short enough for them not to matter. */
  hasWindows?: true;
  /** Positions may be scaled frequency by frequency. */
  hasRopeFactors?: true;
  /** Positions may be scaled by lists of factors for short and for long texts. */
  hasLongRope?: true;
  /** Embeddings, scores, updates and logits may be scaled. */
  hasScales?: true;
  /** Otherwise, it scales scores by the inverse root of this width, which is that of a head by default. */
  scoresWidth?(shape: Record<'layers' | 'hidden' | 'heads' | 'headDim', number>): number;
  /** The key of a flag that is false in files of models whose layers do not turn queries and keys. */
  turns?: string;
  /** One in this many layers has no rotation. */
  restsEvery?: number;
  /** The norm after the last layer, if it has another name. */
  finalNorm?: string;
}

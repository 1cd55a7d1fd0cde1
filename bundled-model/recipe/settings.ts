// The settings of the base model. Changing any of them makes a different model.
export const SEED = 20;

/** Hugging Face's `config.json`. */
export const CONFIG = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 256,
  intermediate_size: 704,
  num_hidden_layers: 6,
  num_attention_heads: 8,
  num_key_value_heads: 4,
  head_dim: 32,
  hidden_act: 'silu',
  rms_norm_eps: 1e-5,
  rope_theta: 10000,
  max_position_embeddings: 1024,
  vocab_size: 4096,
  tie_word_embeddings: true,
  attention_bias: false,
  mlp_bias: false,
  torch_dtype: 'bfloat16',
} as const;

/** Number of conversations that the tokenizer learns from. */
export const TOKENIZER_CONVERSATIONS = 60_000;

/** Scoring skips longer conversations. */
export const LONGEST = 448;

export interface Cycle {
  totalSteps: number;
  rowsPerStep: number;
  /** Training skips longer conversations. */
  longest: number;
  /** Percentage of conversations of which every token is learned. Of the others, only the assistant's words are. */
  wholeRows: number;
  learningRate: number;
  warmupSteps: number;
}

/**
 * Training runs in cycles. Each starts from the final weights of the previous one, with a fresh optimizer, and uses
 * conversations that no earlier cycle used. The model can ship after any of them.
 */
export const CYCLES: readonly Cycle[] = [
  { totalSteps: 5000, rowsPerStep: 48, longest: 448, wholeRows: 40, learningRate: 2e-3, warmupSteps: 150 },
  { totalSteps: 3000, rowsPerStep: 108, longest: 320, wholeRows: 10, learningRate: 1.5e-3, warmupSteps: 150 },
  { totalSteps: 2600, rowsPerStep: 108, longest: 320, wholeRows: 10, learningRate: 1.5e-3, warmupSteps: 150 },
];

export const TRAINING = {
  weightDecay: 0.05,
  evaluationRows: 400,
  loggingSteps: 50,
  evalSteps: 500,
  saveSteps: 100,
} as const;

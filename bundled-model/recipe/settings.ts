// What the base model is made of. Changing anything here makes another model.
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

/** Conversations that the tokenizer is learned from. */
export const TOKENIZER_CONVERSATIONS = 60_000;

/** Conversations of more tokens are left out when the model is scored. */
export const LONGEST = 448;

export interface Cycle {
  totalSteps: number;
  rowsPerStep: number;
  /** Conversations of more tokens are left out. */
  longest: number;
  /** Of this many conversations in 100 every token is learned, of the others what the assistant says. */
  wholeRows: number;
  learningRate: number;
  warmupSteps: number;
}

/**
 * Training goes in cycles: each starts from the weights that the one before ended with, with an optimizer that remembers
 * nothing, and takes conversations that none before had. After each the model can be shipped.
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

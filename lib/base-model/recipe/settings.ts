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

/** Longer conversations are left out. */
export const LONGEST = 448;

export const TRAINING = {
  totalSteps: 5000,
  rowsPerStep: 48,
  /** Of this many conversations in 100 every token is learned, of the others what the assistant says. */
  wholeRows: 40,
  learningRate: 2e-3,
  warmupSteps: 150,
  weightDecay: 0.05,
  evaluationRows: 400,
  loggingSteps: 50,
  evalSteps: 500,
  saveSteps: 250,
} as const;

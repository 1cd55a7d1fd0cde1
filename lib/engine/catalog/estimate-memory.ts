// About how much memory a process needs for a model: as measured in processes that train and chat, from what the engine
// allocates by its own rules.
import { layoutSize, sessionBytes } from '../generate/cache-budget.js';
import { cacheShapeOf, loraParameters, MODULES, type ModelConfig } from '../model/index.js';
import { bytesOfToken, passTokens } from '../train/pass-size.js';

/** In bytes, by the precision of the weights. */
export interface MemoryNeeds {
  /** With an adapter of rank 16 on all modules, in one pass. */
  training: Record<'f32' | 'int8', number>;
  /** A chat of 2,048 tokens, or of as many as the model takes. */
  chat: Record<'f32' | 'int8', number>;
}

/** Node.js, ONNX Runtime, and this package. */
const PROGRAM = 180e6;
const RANK = 16;
const CHAT_TOKENS = 2048;
const FLOAT = Float32Array.BYTES_PER_ELEMENT;
/** A number of an adapter has a gradient and two moments. */
const PER_PARAMETER = 4 * FLOAT;

export function estimateMemory(config: ModelConfig): MemoryNeeds {
  const both = (estimate: (bytesPerWeight: number) => number) => ({
    f32: Math.round(estimate(FLOAT)),
    int8: Math.round(estimate(1)),
  });
  return {
    training: both(bytesPerWeight => PROGRAM + weightsInTraining(config, bytesPerWeight) + passBytes(config)),
    chat: both(bytesPerWeight => PROGRAM + sessionBytes({ config, bytesPerWeight }) + chatBytes(config)),
  };
}

/** Weights are packed once for the forward and once for the backward pass. */
function weightsInTraining(config: ModelConfig, bytesPerWeight: number): number {
  const adapter = loraParameters(config, { rank: RANK, modules: MODULES });
  const numbers = adapter.reduce((sum, { shape: [rows, columns] }) => sum + rows * columns, 0);
  return 2 * sessionBytes({ config, bytesPerWeight }) + numbers * PER_PARAMETER;
}

/** What the backward pass needs, and logits with their probabilities. */
function passBytes(config: ModelConfig): number {
  return passTokens(config) * (bytesOfToken(config) + 2 * FLOAT * config.vocabulary);
}

function chatBytes(config: ModelConfig): number {
  return layoutSize(cacheShapeOf(config), 1, Math.min(CHAT_TOKENS, config.maxPositions));
}

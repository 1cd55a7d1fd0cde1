// About how much memory a process needs for a model: as measured in processes that train and chat, from what the engine
// allocates by its own rules.
import type { ServedModelFacts } from '../../contract/index.js';
import { layoutSize, sessionBytes } from '../generate/cache-budget.js';
import { cacheShapeOf, loraParameters, MODULES, type ModelConfig } from '../model/index.js';
import { bytesOfToken, passTokens } from '../train/pass-size.js';

/** Node.js, ONNX Runtime, and this package. */
const PROGRAM = 180e6;
const RANK = 16;
const CHAT_TOKENS = 2048;
const FLOAT = Float32Array.BYTES_PER_ELEMENT;
/** A number of an adapter has a gradient and two moments. */
const PER_PARAMETER = 4 * FLOAT;

/**
 * To train an adapter of rank 16 on all modules, in one pass, and for a chat of 2,048 tokens, or of as many as the model takes.
 */
export function estimateMemory(config: ModelConfig): NonNullable<ServedModelFacts['memory']> {
  const both = (estimate: (bytesPerWeight: number) => number) => ({
    f32: Math.round(estimate(FLOAT)),
    int8: Math.round(estimate(1)),
  });
  const needs = (more: number) =>
    both(bytesPerWeight => PROGRAM + weightBytes(config, bytesPerWeight) + more);
  return {
    training: needs(adapterBytes(config) + passBytes(config)),
    chat: needs(chatBytes(config)),
  };
}

/**
 * Matrices are there twice: packed for the forward and the backward pass or, while a model for chats is loaded, as stored and
 * as packed.
 */
function weightBytes(config: ModelConfig, bytesPerWeight: number): number {
  const embedding = sessionBytes({ config, bytesPerWeight: 0 });
  return 2 * (sessionBytes({ config, bytesPerWeight }) - embedding) + embedding;
}

function adapterBytes(config: ModelConfig): number {
  const adapter = loraParameters(config, { rank: RANK, modules: MODULES });
  return adapter.reduce((sum, { shape: [rows, columns] }) => sum + rows * columns, 0) * PER_PARAMETER;
}

/** What the backward pass needs, and logits with their probabilities. */
function passBytes(config: ModelConfig): number {
  return passTokens(config) * (bytesOfToken(config) + 2 * FLOAT * config.vocabulary);
}

function chatBytes(config: ModelConfig): number {
  return layoutSize(cacheShapeOf(config), 1, Math.min(CHAT_TOKENS, config.maxPositions));
}

// Chooses the next token from its logits.
import { keepNucleus } from './nucleus.js';

export interface Choice {
  temperature: number;
  topP: number;
}

/** The most likely token, the first one of several. @internal */
export function argmax(logits: Float32Array): number {
  let best = 0;
  for (let id = 1; id < logits.length; id++) if (logits[id]! > logits[best]!) best = id;
  return best;
}

/** Samples from the softmax of logits / temperature, or from its nucleus. `draw` returns a number in [0, 1). */
export function choose(logits: Float32Array, { temperature, topP }: Choice, draw: () => number): number {
  const best = argmax(logits);
  if (temperature === 0) return best;
  const highest = logits[best]!;
  const weights = new Float64Array(logits.length);
  for (let id = 0; id < logits.length; id++) weights[id] = Math.exp((logits[id]! - highest) / temperature);
  const total = topP < 1 ? keepNucleus(weights, topP) : sumOf(weights);

  let left = total * draw();
  for (let id = 0; id < weights.length; id++) {
    left -= weights[id]!;
    if (left < 0) return id;
  }
  return best;
}

function sumOf(weights: Float64Array): number {
  let sum = 0;
  for (let id = 0; id < weights.length; id++) sum += weights[id]!;
  return sum;
}

// Chooses a request's tokens, one after the other. It remembers what was chosen; it knows no text.
import type { GenerateRequest } from '../request.js';
import { choose } from './choose.js';
import { penalize } from './penalties.js';
import { createRandom, randomSeed } from './random.js';
import { type TokenLogprob, tokenLogprob } from './token-logprob.js';

export interface SampledToken {
  id: number;
  logprob?: TokenLogprob;
}

export type Sampler = (logits: Float32Array) => SampledToken;

export function createSampler({
  temperature = 1,
  topP = 1,
  frequencyPenalty: frequency = 0,
  presencePenalty: presence = 0,
  seed = randomSeed(),
  logprobs,
}: GenerateRequest): Sampler {
  const draw = createRandom(seed);
  const counts = new Map<number, number>();
  return logits => {
    const id = choose(penalize(logits, counts, { frequency, presence }), { temperature, topP }, draw);
    if (!Number.isFinite(logits[id]))
      throw new Error('The model computed no numbers: its weights are damaged.');
    counts.set(id, (counts.get(id) ?? 0) + 1);
    return logprobs === undefined ? { id } : { id, logprob: tokenLogprob(logits, id, logprobs) };
  };
}

// Chooses a request's tokens, one after the other. It remembers what was chosen; it knows no text.
import { createRandom } from '../../random.js';
import { choose } from './choose.js';
import { penalize } from './penalties.js';
import { type ScoredChoice, tokenLogprob } from './token-logprob.js';

export interface SampledToken {
  id: number;
  logprob?: ScoredChoice;
}

export interface SamplingOptions {
  /** 0 always takes the likeliest token; 1 unless given. */
  temperature?: number | undefined;
  /** Samples from the likeliest tokens that together have this probability; 1 unless given. */
  topP?: number | undefined;
  /** Taken from a token's logit for each time that it was generated before; 0 unless given. */
  frequencyPenalty?: number | undefined;
  /** Taken once from the logit of a token that was generated before; 0 unless given. */
  presencePenalty?: number | undefined;
  /** The same seed gives the same text; a random one unless given. */
  seed?: number | undefined;
  /** Reports each token's log-probability, and those of this many likeliest tokens; nothing unless given. */
  logprobs?: number | undefined;
}

export type Sampler = (logits: Float32Array) => SampledToken;

export function createSampler({
  temperature = 1,
  topP = 1,
  frequencyPenalty: frequency = 0,
  presencePenalty: presence = 0,
  seed = randomSeed(),
  logprobs,
}: SamplingOptions): Sampler {
  const draw = seededDraw(seed);
  const counts = new Map<number, number>();
  return logits => {
    const id = choose(penalize(logits, counts, { frequency, presence }), { temperature, topP }, draw);
    if (!Number.isFinite(logits[id]))
      throw new Error('The model computed no numbers: its weights are damaged.');
    counts.set(id, (counts.get(id) ?? 0) + 1);
    return logprobs === undefined ? { id } : { id, logprob: tokenLogprob(logits, id, logprobs) };
  };
}

/** What a request draws depends on its seed alone, not on who else is served; any number is a seed. */
export function seededDraw(seed: number): () => number {
  return createRandom(...new Uint32Array(Float64Array.of(seed).buffer)).next;
}

function randomSeed(): number {
  return Math.floor(Math.random() * 2 ** 32);
}

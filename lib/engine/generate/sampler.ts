// Chooses a request's tokens one by one, and counts them for the penalties. It does not know text.
import { createRandom } from '../random.js';
import type { Structure } from '../structure/index.js';

export interface SampledToken {
  id: number;
  logprob?: ScoredChoice;
}

export interface SamplingOptions {
  /** 0 always takes the most likely token. Defaults to 1. */
  temperature?: number | undefined;
  /** Samples from the most likely tokens that together have this probability. Defaults to 1. */
  topP?: number | undefined;
  /** Samples from at most this many of the most likely tokens. Defaults to all. */
  topK?: number | undefined;
  /** Subtracted from a token's logit for each time it was generated. Defaults to 0. */
  frequencyPenalty?: number | undefined;
  /** Subtracted once from the logit of a token that was generated. Defaults to 0. */
  presencePenalty?: number | undefined;
  /** Added to the logits of tokens, by their IDs. */
  logitBias?: Readonly<Record<number, number>> | undefined;
  /** The same seed gives the same text. Random by default. */
  seed?: number | undefined;
  /** Reports the log probability of each token, and of this many most likely alternatives. Off by default. */
  logprobs?: number | undefined;
}

export interface Sampler {
  /** Of the draws from all tokens, as likely as the model has them; undefined if it chooses otherwise. */
  readonly drawsAt: number | undefined;
  /** `odds`: of each token, at that temperature. `left`: how many tokens may still come, this one included. */
  choose(logits: Float32Array, odds?: Float32Array, left?: number): SampledToken;
}

export function createSampler(
  {
    temperature = 1,
    topP = 1,
    topK = Number.POSITIVE_INFINITY,
    frequencyPenalty: frequency = 0,
    presencePenalty: presence = 0,
    logitBias = {},
    seed = randomSeed(),
    logprobs,
  }: SamplingOptions,
  structure?: Structure,
): Sampler {
  const draw = seededDraw(seed);
  const biases = Object.entries(logitBias).map(([id, bias]) => [Number(id), bias] as const);
  const counts = new Map<number, number>();
  const isAdjusted = frequency !== 0 || presence !== 0 || biases.length > 0 || topP < 1 || topK !== Infinity;
  const drawsAt = temperature === 0 || isAdjusted || structure ? undefined : temperature;

  function chooseFrom(logits: Float32Array, left: number | undefined): number {
    const adjusted = penalize(logits, counts, { frequency, presence, biases });
    const pick = (given: Float32Array) => choose(given, { temperature, topP, topK }, draw);
    return structure ? structure.choose(adjusted, pick, left) : pick(adjusted);
  }

  return {
    drawsAt,
    choose(logits, odds, left) {
      const id = odds ? (drawFromOdds(odds, draw) ?? argmax(logits)) : chooseFrom(logits, left);
      requireFinite(logits[id]!);
      counts.set(id, (counts.get(id) ?? 0) + 1);
      return logprobs === undefined ? { id } : { id, logprob: tokenLogprob(logits, id, logprobs) };
    },
  };
}

const RETRY_TEMPERATURE = 0.7;

/** At temperature 0, or with the same seed, the tokens would be the same again. */
export function toRetry(
  { temperature = 1, seed, ...options }: SamplingOptions,
  retry: number,
): SamplingOptions {
  const isRepeatable = temperature === 0 || seed !== undefined;
  return {
    ...options,
    temperature: Math.max(temperature, RETRY_TEMPERATURE),
    seed: isRepeatable ? (seed ?? 0) + retry : undefined,
  };
}

/** The model's output is unusable, because its weights or the adapter's are damaged. */
export class NotFiniteError extends Error {
  override readonly name = 'NotFiniteError';
}

export function requireFinite(value: number): void {
  if (!Number.isFinite(value)) throw new NotFiniteError('The outputs are not finite.');
}

/** Draws depend only on the seed, not on other requests. Any number is a seed. @internal */
export function seededDraw(seed: number): () => number {
  return createRandom(...new Uint32Array(Float64Array.of(seed).buffer)).next;
}

function randomSeed(): number {
  return Math.floor(Math.random() * 2 ** 32);
}

interface Penalties {
  frequency: number;
  presence: number;
  /** Adjustments added to the logits. */
  biases?: readonly (readonly [id: number, bias: number])[];
}

/**
 * logit + bias - count * frequency - (count > 0) * presence, as the chat completions API defines it: what counts are
 * sampled tokens, not those of the prompt. Returns the same array if nothing changes. @internal
 */
export function penalize(
  logits: Float32Array,
  counts: ReadonlyMap<number, number>,
  { frequency, presence, biases = [] }: Penalties,
): Float32Array {
  const isPenalized = (frequency !== 0 || presence !== 0) && counts.size > 0;
  if (!isPenalized && biases.length === 0) return logits;
  const changed = logits.slice();
  if (isPenalized) for (const [id, count] of counts) changed[id]! -= count * frequency + presence;
  for (const [id, bias] of biases) changed[id]! += bias;
  return changed;
}

export interface ScoredToken {
  id: number;
  logprob: number;
}

export interface ScoredChoice extends ScoredToken {
  /** The most likely tokens at this position, in descending order. */
  top: ScoredToken[];
}

/** In the model's own distribution: before penalties, temperature and nucleus. */
export function tokenLogprob(logits: Float32Array, id: number, topCount: number): ScoredChoice {
  const logSum = logSumExp(logits);
  const score = (token: number) => ({ id: token, logprob: logits[token]! - logSum });
  return { ...score(id), top: topTokens(logits, topCount).map(score) };
}

function logSumExp(logits: Float32Array): number {
  const highest = logits[argmax(logits)]!;
  return highest + Math.log(weigh(logits, highest, 1).sum);
}

/** One pass with a short sorted list, since `count` is small. Ties keep the order of their IDs. */
function topTokens(logits: Float32Array, count: number): number[] {
  const found: number[] = [];
  for (let id = 0; id < logits.length && count > 0; id++) {
    if (found.length === count && logits[id]! <= logits[found[count - 1]!]!) continue;
    const at = found.findIndex(other => logits[other]! < logits[id]!);
    found.splice(at < 0 ? found.length : at, 0, id);
    if (found.length > count) found.pop();
  }
  return found;
}

// Chooses the next token from its logits: the most likely one, or a random one, possibly only of the nucleus.

interface Choice {
  temperature: number;
  topP: number;
  topK?: number;
}

/** The most likely token, the first one of several. @internal */
export function argmax(logits: Float32Array): number {
  let best = 0;
  for (let id = 1; id < logits.length; id++) if (logits[id]! > logits[best]!) best = id;
  return best;
}

/** Samples from the softmax of logits / temperature, or from its nucleus. `draw` returns a number in [0, 1). @internal */
export function choose(
  logits: Float32Array,
  { temperature, topP, topK = Number.POSITIVE_INFINITY }: Choice,
  draw: () => number,
): number {
  const best = argmax(logits);
  if (temperature === 0) return best;
  const { weights, sum } = weigh(logits, logits[best]!, temperature);
  const isCut = topP < 1 || topK < weights.length;
  return drawFrom(weights, isCut ? keepNucleus(weights, topP, topK) : sum, draw) ?? best;
}

/** A token as likely as its share of the sum; undefined if rounding, or weights that are not numbers, leave none. */
function drawFrom(weights: Float32Array | Float64Array, sum: number, draw: () => number): number | undefined {
  return findToken(weights, 0, sum * draw());
}

/** The token from this one on at which the weights add up to more than the amount. */
function findToken(weights: Float32Array | Float64Array, from: number, amount: number): number | undefined {
  let remaining = amount;
  for (let id = from; id < weights.length; id++) {
    remaining -= weights[id]!;
    if (remaining < 0) return id;
  }
  return undefined;
}

/** Odds are added up by blocks of this many. */
const BLOCK = 256;

/** Rounding moves their sum away from 1: in a large vocabulary, by more than some of them. */
function drawFromOdds(odds: Float32Array, draw: () => number): number | undefined {
  const sums = new Float64Array(Math.ceil(odds.length / BLOCK));
  let total = 0;
  for (let block = 0; block < sums.length; block++) {
    const sum = sumOf(odds, block * BLOCK, Math.min(odds.length, (block + 1) * BLOCK));
    sums[block] = sum;
    total += sum;
  }
  let remaining = total * draw();
  let block = 0;
  while (block < sums.length && remaining >= sums[block]!) remaining -= sums[block++]!;
  return findToken(odds, block * BLOCK, remaining);
}

/** In four sums, which do not wait for each other. */
function sumOf(values: Float32Array, from: number, to: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = from;
  for (; i + 3 < to; i += 4) {
    a += values[i]!;
    b += values[i + 1]!;
    c += values[i + 2]!;
    d += values[i + 3]!;
  }
  for (; i < to; i++) a += values[i]!;
  return a + b + (c + d);
}

const BITS = 11;
/** Of a factor of 2. */
const PARTS = 2 ** BITS;
const PART = Math.LN2 / PARTS;
const FRACTIONS = Float64Array.from({ length: PARTS }, (_, part) => 2 ** (part / PARTS));
/** The smallest power of 2 that is not 0 to a computer. */
const LEAST = -1074;
const POWERS = Float64Array.from({ length: 1 - LEAST }, (_, at) => 2 ** (at + LEAST));

/** Used again for each token: with a large vocabulary, it would be most of what is allocated. */
let scratch = new Float64Array(0);

/**
 * e to the power of (logit - highest) / temperature, to 11 digits; valid until the next call. Sampling spends its time here, and
 * `Math.exp` takes twice as long. @internal
 */
export function weigh(
  logits: Float32Array,
  highest: number,
  temperature: number,
): { weights: Float64Array; sum: number } {
  if (scratch.length !== logits.length) scratch = new Float64Array(logits.length);
  const weights = scratch;
  const perPart = 1 / (PART * temperature);
  let sum = 0;
  for (let id = 0; id < logits.length; id++) {
    const exponent = (logits[id]! - highest) * perPart;
    if (exponent <= LEAST * PARTS) {
      weights[id] = 0;
      continue;
    }
    // The rest is at most 0.0004, so that three terms of the series are enough.
    const parts = exponent | 0;
    const rest = (exponent - parts) * PART;
    const power = FRACTIONS[parts & (PARTS - 1)]! * POWERS[(parts >> BITS) - LEAST]!;
    const weight = power * (1 + rest * (1 + rest / 2));
    weights[id] = weight;
    sum += weight;
  }
  return { weights, sum };
}

const BINS = 1024;
/** Bins per factor of e. */
const BINS_PER_E = 16;

/**
 * Zeroes the weights outside the nucleus, and returns the sum of those inside. The nucleus is the smallest set of most likely
 * tokens that together reach the probability; if there are more than `topK` tokens, among the `topK` most likely ones and of
 * their sum, as in other engines. The largest weight must be 1. Vocabularies are large, so tokens are binned by weight and
 * only the bin on the border is sorted. @internal
 */
export function keepNucleus(
  weights: Float64Array,
  topP: number,
  topK: number = Number.POSITIVE_INFINITY,
): number {
  const bins = new Uint16Array(weights.length);
  const masses = new Float64Array(BINS);
  const counts = new Uint32Array(BINS);
  let total = 0;
  for (let id = 0; id < weights.length; id++) {
    const bin = Math.min(BINS - 1, Math.floor(-Math.log(weights[id]!) * BINS_PER_E));
    bins[id] = bin;
    masses[bin]! += weights[id]!;
    counts[bin]!++;
    total += weights[id]!;
  }
  const cut = (mass: number, count: number): number => {
    let border = 0;
    let left = { mass, count };
    while (border < BINS - 1 && masses[border]! < left.mass && counts[border]! < left.count) {
      left = { mass: left.mass - masses[border]!, count: left.count - counts[border]! };
      border++;
    }
    const last = findLastKept(weights, bins, border, left);
    return last === undefined ? total : keepUpTo(weights, last);
  };
  if (topK < weights.length) total = cut(Number.POSITIVE_INFINITY, topK);
  return topP < 1 ? cut(topP * total, Number.POSITIVE_INFINITY) : total;
}

/** Finds the token of the border bin, in descending order of weight, at which the sum or the number of tokens is reached. */
function findLastKept(
  weights: Float64Array,
  bins: Uint16Array,
  border: number,
  left: { mass: number; count: number },
): number | undefined {
  const members: number[] = [];
  for (let id = 0; id < bins.length; id++) if (bins[id] === border) members.push(id);
  members.sort((a, b) => weights[b]! - weights[a]! || a - b);
  let mass = 0;
  for (const [i, id] of members.entries()) {
    mass += weights[id]!;
    if (mass >= left.mass || i + 1 >= left.count) return id;
  }
  return members.at(-1);
}

/** Keeps the tokens that are more likely than the last one, and those before it that are equally likely. */
function keepUpTo(weights: Float64Array, last: number): number {
  const least = weights[last]!;
  let sum = 0;
  for (let id = 0; id < weights.length; id++) {
    const weight = weights[id]!;
    if (weight > least || (weight === least && id <= last)) sum += weight;
    else weights[id] = 0;
  }
  return sum;
}

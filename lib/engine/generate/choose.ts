// Chooses the next token from its logits: the most likely one, or a random one, possibly only of the nucleus.

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

const BINS = 1024;
/** Bins per factor of e. */
const BINS_PER_E = 16;

/**
 * Zeroes the weights outside the nucleus, the smallest set of most likely tokens that together reach the probability, and
 * returns the sum of those inside. The largest weight must be 1. Vocabularies are large, so tokens are binned by weight and
 * only the bin on the border is sorted. @internal
 */
export function keepNucleus(weights: Float64Array, topP: number): number {
  const bins = new Uint16Array(weights.length);
  const masses = new Float64Array(BINS);
  let total = 0;
  for (let id = 0; id < weights.length; id++) {
    const bin = Math.min(BINS - 1, Math.floor(-Math.log(weights[id]!) * BINS_PER_E));
    bins[id] = bin;
    masses[bin]! += weights[id]!;
    total += weights[id]!;
  }
  let border = 0;
  let before = 0;
  while (border < BINS - 1 && before + masses[border]! < topP * total) before += masses[border++]!;
  const last = findLastKept(weights, bins, border, topP * total - before);
  return last === undefined ? total : keepUpTo(weights, last);
}

/** Finds the token of the border bin, in descending order of weight, at which the sum reaches `wanted`. */
function findLastKept(
  weights: Float64Array,
  bins: Uint16Array,
  border: number,
  wanted: number,
): number | undefined {
  const members: number[] = [];
  for (let id = 0; id < bins.length; id++) if (bins[id] === border) members.push(id);
  members.sort((a, b) => weights[b]! - weights[a]! || a - b);
  let mass = 0;
  for (const id of members) {
    mass += weights[id]!;
    if (mass >= wanted) return id;
  }
  return members.at(-1);
}

/** Keeps the tokens that are more likely than the last one, and those before it that are equally likely. */
function keepUpTo(weights: Float64Array, last: number): number {
  const least = weights[last]!;
  let kept = 0;
  for (let id = 0; id < weights.length; id++) {
    const weight = weights[id]!;
    if (weight > least || (weight === least && id <= last)) kept += weight;
    else weights[id] = 0;
  }
  return kept;
}

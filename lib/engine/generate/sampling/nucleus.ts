// The nucleus of a distribution: the fewest likeliest tokens that together reach a probability. Vocabularies are large,
// so tokens are thrown into bins of about the same weight, and only the bin on the border is sorted.

const BINS = 1024;
/** Bins to each factor of e. */
const BINS_PER_E = 16;

/** Zeroes the weight of every token outside the nucleus, and gives the sum of those inside. The largest weight is 1. */
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
  const last = findLast(weights, bins, border, topP * total - before);
  return last === undefined ? total : cutBehind(weights, last);
}

/** Of the tokens in a bin, the likeliest first, the one with which their sum reaches `wanted`. */
function findLast(
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

/** Keeps what is as likely as the last one, and of its equals those that come before it. */
function cutBehind(weights: Float64Array, last: number): number {
  const least = weights[last]!;
  let kept = 0;
  for (let id = 0; id < weights.length; id++) {
    const weight = weights[id]!;
    if (weight > least || (weight === least && id <= last)) kept += weight;
    else weights[id] = 0;
  }
  return kept;
}

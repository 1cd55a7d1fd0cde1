// Log probabilities of tokens in the model's own distribution: before penalties, temperature and nucleus.

export interface ScoredToken {
  id: number;
  logprob: number;
}

export interface ScoredChoice extends ScoredToken {
  /** The most likely tokens at this position, in descending order. */
  top: ScoredToken[];
}

export function tokenLogprob(logits: Float32Array, id: number, topCount: number): ScoredChoice {
  const logSum = logSumExp(logits);
  const score = (token: number) => ({ id: token, logprob: logits[token]! - logSum });
  return { ...score(id), top: topTokens(logits, topCount).map(score) };
}

function logSumExp(logits: Float32Array): number {
  let highest = Number.NEGATIVE_INFINITY;
  for (let id = 0; id < logits.length; id++) if (logits[id]! > highest) highest = logits[id]!;
  let sum = 0;
  for (let id = 0; id < logits.length; id++) sum += Math.exp(logits[id]! - highest);
  return highest + Math.log(sum);
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

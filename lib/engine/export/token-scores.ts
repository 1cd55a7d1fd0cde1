// SentencePiece merges the two neighbors that make the token with the best score. Byte-pair encoding has an order of pairs;
// where that is the same rule, written out, the scores follow from it.

export type Merge = string | readonly [left: string, right: string];

interface Pairs {
  vocab: Readonly<Record<string, number>>;
  merges: readonly Merge[];
}

/** Null if the merges leave out a pair that makes one of the `learned` tokens, or come in turns for two of them. */
export function scoreTokens(
  { vocab, merges }: Pairs,
  learned: ReadonlySet<string>,
): Map<string, number> | null {
  const scores = new Map<string, number>();
  const pairs = new Set<string>();
  let previous = '';
  for (const [rank, merge] of merges.entries()) {
    const [left, right] = typeof merge === 'string' ? merge.split(' ') : merge;
    const token = `${left}${right}`;
    pairs.add(`${left} ${right}`);
    if (token !== previous && scores.has(token)) return null;
    if (token !== previous) scores.set(token, -rank);
    previous = token;
  }
  for (const token of learned) {
    for (let at = 1; at < token.length; at++) {
      const [left, right] = [token.slice(0, at), token.slice(at)];
      const isPair = Object.hasOwn(vocab, left) && Object.hasOwn(vocab, right);
      if (isPair && !pairs.has(`${left} ${right}`)) return null;
    }
  }
  return scores;
}

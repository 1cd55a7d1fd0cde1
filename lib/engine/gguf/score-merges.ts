// SentencePiece tokenizers give each token a score; byte-pair encoding wants the order in which pairs merge. Both agree if
// the pairs that make better tokens come first.

export type Merge = string | readonly [left: string, right: string];

interface Pair {
  left: string;
  right: string;
  score: number;
}

interface ScoredToken {
  token: string;
  score: number;
}

/**
 * `ids`: of all tokens, which pairs may consist of. `learned`: the tokens that pairs may become. Null if there are more than
 * `most`, which only a hostile file has.
 */
export function learnMerges(
  learned: Iterable<ScoredToken>,
  ids: ReadonlyMap<string, number>,
  most = MOST_PAIRS,
): Merge[] | null {
  const pairs: Pair[] = [];
  for (const { token, score } of learned) {
    if (token.length > LONGEST) continue;
    const own: Pair[] = [];
    for (let at = 1; at < token.length; at++) {
      const [left, right] = [token.slice(0, at), token.slice(at)];
      if (ids.has(left) && ids.has(right)) own.push({ left, right, score });
    }
    if (pairs.length + own.length > most) return null;
    pairs.push(
      ...own.sort((a, b) => ids.get(a.left)! - ids.get(b.left)! || ids.get(a.right)! - ids.get(b.right)!),
    );
  }
  // Stable: pairs of one token keep their order unless a longer left part decides.
  pairs.sort((a, b) => b.score - a.score || b.left.length - a.left.length || b.right.length - a.right.length);
  return pairs.map(({ left, right }) => [left, right]);
}

/** Four times as many as a vocabulary of 262,144 tokens has. */
const MOST_PAIRS = 2 ** 21;

/** In characters. Longer tokens take quadratic time, and no tokenizer learns them. */
const LONGEST = 512;

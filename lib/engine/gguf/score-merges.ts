// SentencePiece tokenizers give each token a score; byte-pair encoding wants the order in which pairs merge. Both agree if
// the pairs that make better tokens come first.

export type Merge = string | readonly [left: string, right: string];

interface ScoredTokens {
  /** All of them, which pairs may consist of. */
  tokens: readonly string[];
  ids: ReadonlyMap<string, number>;
  scores: readonly number[];
}

/** `learned`: the tokens that pairs may become. Null if there are more pairs than `most`, as only a hostile file has. */
export function learnMerges(
  { tokens, ids, scores }: ScoredTokens,
  learned: readonly number[],
  most = MOST_OF_ALL + MOST_OF_EACH * learned.length,
): Merge[] | null {
  // Numbers, since there may be millions: each pair is a left and a right token, and the token that they become.
  const [lefts, rights, becomes]: [number[], number[], number[]] = [[], [], []];
  for (const id of learned) {
    for (const [left, right] of pairsOf(tokens[id]!, ids)) {
      if (becomes.push(id) > most) return null;
      lefts.push(left);
      rights.push(right);
    }
  }
  const lengthOf = (id: number) => tokens[id]!.length;
  // Pairs of one token keep their order unless a longer left part decides.
  const order = Uint32Array.from(becomes.keys()).sort(
    (a, b) =>
      scores[becomes[b]!]! - scores[becomes[a]!]! ||
      lengthOf(lefts[b]!) - lengthOf(lefts[a]!) ||
      lengthOf(rights[b]!) - lengthOf(rights[a]!) ||
      a - b,
  );
  return Array.from(order, at => [tokens[lefts[at]!]!, tokens[rights[at]!]!]);
}

/** The pairs of tokens that a token consists of, in the order of their IDs. */
function pairsOf(token: string, ids: ReadonlyMap<string, number>): [left: number, right: number][] {
  if (token.length > LONGEST) return [];
  const pairs: [number, number][] = [];
  for (let at = 1; at < token.length; at++) {
    const left = ids.get(token.slice(0, at));
    const right = left === undefined ? undefined : ids.get(token.slice(at));
    if (right !== undefined) pairs.push([left!, right]);
  }
  return pairs.sort(([a, c], [b, d]) => a - b || c - d);
}

/** Vocabularies have about two per token. A run of one letter whose every pair is a token would have hundreds. */
const MOST_OF_EACH = 4;
const MOST_OF_ALL = 2 ** 16;

/** In characters. Longer tokens take quadratic time, and no tokenizer learns them. */
const LONGEST = 512;

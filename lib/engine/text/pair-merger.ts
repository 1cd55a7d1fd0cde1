// Byte-pair encoding: merges the characters of a word into tokens, the pair that was learned first before the others, and
// from left to right. A word of millions of characters is merged in pieces, so that others can go ahead.

/** `a b`, or in newer files a list of the two. */
export type Merge = string | readonly [left: string, right: string];

/** The tokens of a word. Yields now and then before it returns. */
type MergeWord = (characters: readonly string[]) => Generator<void, readonly string[]>;

/** How many characters or merges take a moment. */
export const PIECE = 20_000;

const UNKNOWN = -1;
const GONE = -2;
/** More than any vocabulary has tokens. */
const MOST_SYMBOLS = 2 ** 22;

export function createPairMerger(merges: readonly Merge[]): MergeWord {
  const symbols: string[] = [];
  const ids = new Map<string, number>();
  const ranks = new Map<number, number>();
  const results: number[] = [];

  function toId(symbol: string): number {
    const known = ids.get(symbol);
    if (known !== undefined) return known;
    ids.set(symbol, symbols.length);
    return symbols.push(symbol) - 1;
  }

  for (const [rank, merge] of merges.entries()) {
    const [left = '', right = ''] = typeof merge === 'string' ? merge.split(' ', 2) : merge;
    ranks.set(toId(left) * MOST_SYMBOLS + toId(right), rank);
    results.push(toId(left + right));
  }

  return function* merge(characters) {
    const end = characters.length;
    const [at, next, previous] = [new Int32Array(end), new Int32Array(end), new Int32Array(end)];
    const queue = createQueue();

    /** Of the pair that starts here. */
    function rankAt(left: number): number | undefined {
      const right = next[left]!;
      if (right === end || at[left]! < 0 || at[right]! < 0) return undefined;
      return ranks.get(at[left]! * MOST_SYMBOLS + at[right]!);
    }

    function consider(left: number): void {
      const rank = rankAt(left);
      if (rank !== undefined) queue.push(rank * end + left);
    }

    for (let place = 0; place < end; place++) {
      if (place % PIECE === PIECE - 1) yield;
      at[place] = ids.get(characters[place]!) ?? UNKNOWN;
      next[place] = place + 1;
      previous[place] = place - 1;
      if (place > 0) consider(place - 1);
    }
    for (let done = 1; queue.size > 0; done++) {
      if (done % PIECE === 0) yield;
      const first = queue.pop();
      const [rank, left] = [Math.floor(first / end), first % end];
      // Its pair may have been merged with a neighbor since.
      if (rankAt(left) !== rank) continue;
      const right = next[left]!;
      at[left] = results[rank]!;
      at[right] = GONE;
      next[left] = next[right]!;
      if (next[left] < end) previous[next[left]!] = left;
      consider(left);
      if (previous[left]! >= 0) consider(previous[left]!);
    }

    const tokens: string[] = [];
    for (let place = 0; place < end; place = next[place]!)
      tokens.push(at[place] === UNKNOWN ? characters[place]! : symbols[at[place]!]!);
    return tokens;
  };
}

/** The smallest number first. */
function createQueue() {
  const heap: number[] = [];
  return {
    get size() {
      return heap.length;
    },
    push(value: number): void {
      let place = heap.length;
      while (place > 0) {
        const parent = (place - 1) >> 1;
        if (heap[parent]! <= value) break;
        heap[place] = heap[parent]!;
        place = parent;
      }
      heap[place] = value;
    },
    pop(): number {
      const first = heap[0]!;
      const last = heap.pop()!;
      if (heap.length === 0) return first;
      let place = 0;
      for (;;) {
        let child = 2 * place + 1;
        if (child >= heap.length) break;
        if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
        if (heap[child]! >= last) break;
        heap[place] = heap[child]!;
        place = child;
      }
      heap[place] = last;
      return first;
    },
  };
}

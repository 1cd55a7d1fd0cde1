// Tokens by their bytes, as a tree: what may come next is found without looking at every token.

export interface TrieNode {
  /** Tokens that end here. */
  readonly ids: number[];
  readonly children: Map<number, TrieNode>;
}

export function createTrie(tokens: readonly Uint8Array[], ids: Iterable<number>): TrieNode {
  const root: TrieNode = { ids: [], children: new Map() };
  for (const id of ids) {
    let node = root;
    for (const byte of tokens[id]!) {
      let child = node.children.get(byte);
      if (!child) {
        child = { ids: [], children: new Map() };
        node.children.set(byte, child);
      }
      node = child;
    }
    node.ids.push(id);
  }
  return root;
}

/** The tokens that need no escape in a string and have only whole characters, by their number of characters. */
export interface PlainTokens {
  readonly ids: Int32Array;
  readonly lengths: Uint16Array;
  readonly longest: number;
}

export function findPlain(tokens: readonly Uint8Array[], ids: readonly number[]): PlainTokens {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const found: { id: number; length: number }[] = [];
  for (const id of ids) {
    const bytes = tokens[id]!;
    if (bytes.some(byte => byte < 0x20 || byte === 0x22 || byte === 0x5c)) continue;
    try {
      found.push({ id, length: [...utf8.decode(bytes)].length });
    } catch {
      // Part of a character.
    }
  }
  return {
    ids: Int32Array.from(found, ({ id }) => id),
    lengths: Uint16Array.from(found, ({ length }) => length),
    longest: found.reduce((most, { length }) => Math.max(most, length), 0),
  };
}

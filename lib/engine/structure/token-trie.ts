// Tokens by their bytes, as a tree: what may come next is found without looking at every token.

export interface TrieNode {
  /** Tokens that end here. */
  readonly ids: number[];
  readonly children: Map<number, TrieNode>;
}

export function emptyTrie(): TrieNode {
  return { ids: [], children: new Map() };
}

export function addToTrie(root: TrieNode, bytes: Uint8Array, id: number): void {
  let node = root;
  for (const byte of bytes) {
    let child = node.children.get(byte);
    if (!child) {
      child = emptyTrie();
      node.children.set(byte, child);
    }
    node = child;
  }
  node.ids.push(id);
}

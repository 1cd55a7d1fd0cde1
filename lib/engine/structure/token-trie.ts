// Tokens as a trie of their bytes, which finds the allowed ones without checking each token. It is in arrays, since masks of
// large vocabularies look at most of its nodes.
import { setBit } from './token-bits.js';

/** The nodes stand before their descendants; the first is the root. */
export interface TokenTrie {
  /** The byte that leads to each node. */
  readonly bytes: Uint8Array;
  /** For each node, the first one after it that is not its descendant. */
  readonly ends: Uint32Array;
  /** The tokens that end at nodes, in the order of the nodes. */
  readonly ids: Uint32Array;
  /** For each node, where its tokens start. One more than there are nodes. */
  readonly starts: Uint32Array;
}

export interface TrieEntry {
  readonly id: number;
  readonly bytes: Uint8Array;
}

const SLICE = 2048;

/** Builds it in slices, so that other requests can proceed. */
export function* buildTrie(entries: readonly TrieEntry[]): Generator<undefined, TokenTrie> {
  const [bytes, ends, ids, starts]: [number[], number[], number[], number[]] = [[], [], [], []];
  /** The nodes from the root to the last one. */
  const open: number[] = [];
  const waiting = [{ byte: 0, depth: 0, entries }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { byte, depth } = next;
    const node = bytes.push(byte) - 1;
    if (node % SLICE === 0) yield;
    for (const ended of open.splice(depth)) ends[ended] = node;
    open.push(node);
    starts.push(ids.length);
    const byNext = new Map<number, TrieEntry[]>();
    for (const entry of next.entries) {
      const following = entry.bytes[depth];
      if (following === undefined) ids.push(entry.id);
      else if (byNext.has(following)) byNext.get(following)!.push(entry);
      else byNext.set(following, [entry]);
    }
    for (const [following, longer] of byNext)
      waiting.push({ byte: following, depth: depth + 1, entries: longer });
  }
  for (const ended of open) ends[ended] = bytes.length;
  starts.push(ids.length);
  return {
    bytes: Uint8Array.from(bytes),
    ends: Uint32Array.from(ends),
    ids: Uint32Array.from(ids),
    starts: Uint32Array.from(starts),
  };
}

/** The node after a byte; undefined if no token goes on with it. */
export function childOf({ bytes, ends }: TokenTrie, node: number, byte: number): number | undefined {
  for (let child = node + 1; child < ends[node]!; child = ends[child]!)
    if (bytes[child] === byte) return child;
  return undefined;
}

/** The tokens that end at a node. */
export function idsAt({ ids, starts }: TokenTrie, node: number): Uint32Array {
  return ids.subarray(starts[node], starts[node + 1]);
}

/** The tokens that end at a node or after it. */
export function idsUnder({ ids, ends, starts }: TokenTrie, node: number): Uint32Array {
  return ids.subarray(starts[node], starts[ends[node]!]);
}

export function hasTokens({ starts }: TokenTrie, node: number): boolean {
  return starts[node] !== starts[node + 1];
}

/** Sets the bit of each token that ends at a node. */
export function markNode({ ids, starts }: TokenTrie, node: number, bits: Uint32Array): void {
  for (let i = starts[node]!; i < starts[node + 1]!; i++) setBit(bits, ids[i]!);
}

// The tokens of a vocabulary by their bytes, for what an answer may consist of.
import { createTrie, findPlain, type PlainTokens, type TrieNode } from './token-trie.js';

/** The part of a model's text that structures need. */
export interface StructureText {
  /** The highest ID plus one. */
  readonly vocabSize: number;
  bytesOf(id: number): Uint8Array;
  /** Whether decoded text leaves it out. */
  isSpecial(id: number): boolean;
  readonly eosIds: readonly number[];
  readonly endOfTurnId?: number | undefined;
}

export interface TokenTable {
  readonly size: number;
  /** Those that end an answer. */
  readonly endIds: ReadonlySet<number>;
  /** Whether a value may contain it: markers would be missing in its text, and tokens without text change nothing. */
  isText(id: number): boolean;
  /** Empty for an ID without a token. */
  bytesOf(id: number): Uint8Array;
  /** The tokens that a text may begin with, markers among them. */
  startsOf(text: Uint8Array): number[];
  /** Those that values may contain. */
  readonly all: TrieNode;
  /** Those of them that may stand in a string as they are, and the others. */
  readonly plain: PlainTokens;
  readonly others: TrieNode;
}

const EMPTY = new Uint8Array(0);

export function createTokenTable(text: StructureText): TokenTable {
  const { eosIds, endOfTurnId, vocabSize: size } = text;
  const endIds = new Set(endOfTurnId === undefined ? eosIds : [...eosIds, endOfTurnId]);
  const ids = Array.from({ length: size }, (_, id) => id);
  const tokens = ids.map(id => text.bytesOf(id));
  const isText = (id: number) =>
    id < size && tokens[id]!.length > 0 && !endIds.has(id) && !text.isSpecial(id);
  const inText = ids.filter(isText);
  const plain = findPlain(tokens, inText);
  const plainIds = new Set(plain.ids);
  const written = createTrie(
    tokens,
    ids.filter(id => tokens[id]!.length > 0 && !endIds.has(id)),
  );
  return {
    size,
    endIds,
    isText,
    bytesOf: id => tokens[id] ?? EMPTY,
    startsOf(given) {
      const found: number[] = [];
      let node: TrieNode | undefined = written;
      for (const byte of given) {
        node = node.children.get(byte);
        if (!node) break;
        found.push(...node.ids);
      }
      return found;
    },
    all: createTrie(tokens, inText),
    plain,
    others: createTrie(
      tokens,
      inText.filter(id => !plainIds.has(id)),
    ),
  };
}

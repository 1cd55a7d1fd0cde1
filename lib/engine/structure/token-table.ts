// A vocabulary's tokens by their bytes, as tries and bit sets, for constraining answers.
import { setImmediate } from 'node:timers/promises';
import { addBits, emptyBits, setBit } from './token-bits.js';
import { buildTrie, childOf, idsAt, idsUnder, type TokenTrie, type TrieEntry } from './token-trie.js';

/** The part of a model's text that structures need. */
export interface StructureText {
  /** The highest ID plus one. */
  readonly vocabSize: number;
  bytesOf(id: number): Uint8Array;
  /** Whether decoded text omits it. */
  isSpecial(id: number): boolean;
  /** The tokens that end an answer. */
  readonly endIds: readonly number[];
}

export interface TokenTable {
  readonly size: number;
  /** The length of the longest token, in bytes. */
  readonly longest: number;
  /** The tokens that end an answer. */
  readonly endIds: ReadonlySet<number>;
  /** Whether a value may contain the token. Special tokens would be missing from its text; empty ones would change nothing. */
  isText(id: number): boolean;
  /** Empty for an ID without a token. */
  bytesOf(id: number): Uint8Array;
  /** A trie of all tokens that a text may start with, including special ones. */
  startsOf(text: Uint8Array): number[];
  /** The tokens that write a text, the longest first that fits; null if there are none. `isText`: only those of values. */
  tokensOf(text: Uint8Array, isText: boolean): number[] | null;
  /** The tokens of values that start with a byte. */
  startingWith(byte: number): readonly number[];
  /** A trie of the tokens that values may contain. */
  readonly all: TokenTrie;
  /** By number of characters: a bit for each token of at most that many that a string can contain unescaped. */
  readonly plainUpTo: readonly Uint32Array[];
  /** The other tokens by their number of leading plain characters: tries of what comes after those. */
  readonly afterPlain: readonly (TokenTrie | undefined)[];
}

const EMPTY = new Uint8Array(0);
const SLICE = 512;
const SLICE_OF_SETS = 16;

/** Builds the table synchronously. */
export function createTokenTable(text: StructureText): TokenTable {
  const building = build(text);
  for (;;) {
    const { done, value } = building.next();
    if (done) return value;
  }
}

/** The same in slices, so that other requests can proceed. */
export async function createTokenTableInSlices(text: StructureText): Promise<TokenTable> {
  const building = build(text);
  for (;;) {
    const { done, value } = building.next();
    if (done) return value;
    await setImmediate();
  }
}

function* build(text: StructureText): Generator<undefined, TokenTable> {
  const { vocabSize: size } = text;
  const endIds = new Set(text.endIds);
  const tokens: Uint8Array[] = [];
  const [ofValues, written]: [TrieEntry[], TrieEntry[]] = [[], []];
  const plain: Uint32Array[] = [];
  const leftByPlain: TrieEntry[][] = [];
  let longest = 0;
  const bytesOf = (id: number) => tokens[id] ?? EMPTY;
  const isText = (id: number) => bytesOf(id).length > 0 && !endIds.has(id) && !text.isSpecial(id);
  for (let id = 0; id < size; id++) {
    if (id % SLICE === 0) yield;
    const bytes = text.bytesOf(id);
    tokens.push(bytes);
    longest = Math.max(longest, bytes.length);
    if (bytes.length > 0 && !endIds.has(id)) written.push({ id, bytes });
    if (!isText(id)) continue;
    ofValues.push({ id, bytes });
    const end = endOfPlain(bytes);
    const characters = countCharacters(bytes.subarray(0, end));
    if (end === bytes.length) {
      while (plain.length <= characters) plain.push(emptyBits(size));
      setBit(plain[characters]!, id);
    } else {
      leftByPlain[characters] ??= [];
      leftByPlain[characters].push({ id, bytes: bytes.subarray(end) });
    }
  }
  for (let length = 1; length < plain.length; length++) {
    if (length % SLICE_OF_SETS === 0) yield;
    addBits(plain[length]!, plain[length - 1]!);
  }
  const [all, anything] = [yield* buildTrie(ofValues), yield* buildTrie(written)];
  const afterPlain: (TokenTrie | undefined)[] = [];
  for (const left of leftByPlain) afterPlain.push(left && (yield* buildTrie(left)));
  function startsOf(given: Uint8Array, trie = anything): number[] {
    const found: number[] = [];
    let node = 0;
    for (const byte of given) {
      const child = childOf(trie, node, byte);
      if (child === undefined) break;
      found.push(...idsAt(trie, child));
      node = child;
    }
    return found;
  }
  const byFirst = new Map<number, readonly number[]>();
  return {
    size,
    longest,
    endIds,
    isText,
    bytesOf,
    startsOf: given => startsOf(given),
    tokensOf(given, isOfValue) {
      const ids: number[] = [];
      for (let at = 0; at < given.length; at += bytesOf(ids.at(-1)!).length) {
        const longest = startsOf(given.subarray(at), isOfValue ? all : anything).at(-1);
        if (longest === undefined) return null;
        ids.push(longest);
      }
      return ids;
    },
    startingWith(byte) {
      const first = childOf(all, 0, byte);
      const found = byFirst.get(byte) ?? (first === undefined ? [] : [...idsUnder(all, first)]);
      byFirst.set(byte, found);
      return found;
    },
    all,
    plainUpTo: plain,
    afterPlain,
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The end of the leading characters that need no escape in a string. Excludes incomplete characters. */
function endOfPlain(bytes: Uint8Array): number {
  const special = bytes.findIndex(byte => byte < 0x20 || byte === 0x22 || byte === 0x5c);
  let end = special < 0 ? bytes.length : special;
  if (bytes.every(byte => byte < 0x80)) return end;
  // Tokens are a few bytes long, and most non-ASCII ones are complete characters.
  for (; end > 0; end--) if (isWhole(bytes.subarray(0, end))) return end;
  return 0;
}

function isWhole(bytes: Uint8Array): boolean {
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The number of complete characters. */
function countCharacters(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) count++;
  return count;
}

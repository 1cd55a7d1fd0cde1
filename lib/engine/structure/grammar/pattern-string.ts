// JSON strings that must match patterns. Only allows what can still be completed to a match. Characters are written
// literally, or with their short escape where JSON requires one.
import { type Automaton, automatonOf, DEAD, PatternError, type Patterns } from '../pattern/index.js';
import { setBit, type TrieNode } from '../token-table.js';
import { type Matcher, NOTHING_MORE, stringRest } from './matcher.js';

export interface StringLimits {
  readonly patterns: Patterns;
  /** In characters. */
  readonly min?: number;
  readonly max?: number;
}

/** The most pairs of length and state to explore. */
const MOST_LENGTHS = 2_000_000;

/** The contents of a matching string and its closing quote; null if nothing matches. Throws a `PatternError`. */
export function patternRest({
  patterns,
  min = 0,
  max = Number.POSITIVE_INFINITY,
}: StringLimits): Matcher | null {
  const automaton = automatonOf(patterns);
  const canEnd = findEnds(automaton, min, max);
  const id = `${min}:${max}:${JSON.stringify(patterns)}`;
  return canEnd(automaton.start, 0) ? restOf({ automaton, canEnd, min, max, id }, automaton.start, 0) : null;
}

/** Whether a match can be completed from a state, after a number of characters. */
type CanEnd = (state: number, count: number) => boolean;

function findEnds({ size, isAccepting, targets }: Automaton, min: number, max: number): CanEnd {
  const longest = max === Number.POSITIVE_INFINITY ? min : max;
  if ((longest + 1) * size > MOST_LENGTHS)
    throw new PatternError('a pattern beside so large a length cannot be enforced');
  // Without a maximum, every live state leads to a match, and after `min` characters the count no longer matters.
  const isLast = (state: number) =>
    isAccepting(state) || (max === Number.POSITIVE_INFINITY && targets(state).length > 0);
  let later = Uint8Array.from({ length: size }, (_, state) => Number(isLast(state)));
  const byCount = [later];
  for (let count = longest - 1; count >= 0; count--) {
    const after = later;
    later = Uint8Array.from({ length: size }, (_, state) =>
      (count >= min && isAccepting(state)) || targets(state).some(to => after[to] === 1) ? 1 : 0,
    );
    byCount.push(later);
  }
  byCount.reverse();
  return (state, count) => byCount[Math.min(count, longest)]![state] === 1;
}

interface Limited {
  readonly automaton: Automaton;
  readonly canEnd: CanEnd;
  readonly min: number;
  readonly max: number;
  readonly id: string;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c] as const;

function restOf(limited: Limited, state: number, count: number): Matcher {
  const { automaton, canEnd, min, max, id } = limited;
  // It caps an unlimited count itself.
  if (automaton.isEverything(state)) return stringRest({ min, max }, count);
  const counted = countNext(limited, count);
  const isGood = (to: number) => to !== DEAD && count < max && canEnd(to, counted);
  const take = (codePoint: number) => {
    const to = automaton.next(state, codePoint);
    return isGood(to) ? restOf(limited, to, counted) : null;
  };
  const key = `p${state}:${count}:${id}`;
  return {
    key,
    isWhole: false,
    step(byte) {
      if (byte === QUOTE) return count >= min && automaton.isAccepting(state) ? NOTHING_MORE : null;
      if (byte === BACKSLASH) return escapeOf(key, take);
      if (byte < 0x20) return null;
      if (byte < 0x80) return take(byte);
      const whole = parseLeadByte(byte);
      return (
        whole &&
        partOf({ key, take, canTake: (first, last) => automaton.canTake(state, first, last, isGood) }, whole)
      );
    },
    mark: (tree, bits, leave) => markTokens(limited, { state, count }, tree, bits, leave),
  };
}

/** After one more character. Without a maximum, counts beyond the minimum do not matter. */
function countNext({ min, max }: Limited, count: number): number {
  return max === Number.POSITIVE_INFINITY ? Math.min(count + 1, min) : count + 1;
}

/** The same as steps, without an object for each: most characters are one byte. */
function markTokens(
  limited: Limited,
  from: { state: number; count: number },
  tree: TrieNode,
  bits: Uint32Array,
  leave: (tree: TrieNode) => void,
): void {
  const { automaton, canEnd, min, max } = limited;

  function visit(node: TrieNode, state: number, count: number): void {
    const counted = countNext(limited, count);
    for (const [byte, child] of node.children) {
      if (byte === QUOTE) {
        if (count >= min && automaton.isAccepting(state)) leave(child);
      } else if (byte >= 0x20 && byte < 0x80 && byte !== BACKSLASH) {
        const to = automaton.next(state, byte);
        if (to === DEAD || count >= max || !canEnd(to, counted)) continue;
        for (const id of child.ids) setBit(bits, id);
        visit(child, to, counted);
      } else follow(child, restOf(limited, state, count).step(byte));
    }
  }

  function follow(node: TrieNode, matcher: Matcher | null): void {
    if (!matcher) return;
    if (matcher === NOTHING_MORE) {
      leave(node);
      return;
    }
    for (const id of node.ids) setBit(bits, id);
    for (const [byte, child] of node.children) follow(child, matcher.step(byte));
  }

  visit(tree, from.state, from.count);
}

const ESCAPES: readonly (readonly [written: number, meant: number])[] = [
  ['"', 0x22],
  ['\\', 0x5c],
  ['b', 8],
  ['t', 9],
  ['n', 10],
  ['f', 12],
  ['r', 13],
].map(([written, meant]) => [(written as string).charCodeAt(0), meant as number]);

type Take = (codePoint: number) => Matcher | null;

function escapeOf(key: string, take: Take): Matcher | null {
  const after = new Map(
    ESCAPES.flatMap(([written, meant]) => {
      const next = take(meant);
      return next ? [[written, next] as const] : [];
    }),
  );
  if (after.size === 0) return null;
  return { key: `e${key}`, isWhole: false, step: byte => after.get(byte) ?? null };
}

interface Part {
  /** A partially read character: the bits so far, and how many bytes are missing. */
  bits: number;
  missing: number;
  /** The range of characters that start with these bytes. */
  lowest: number;
}

/** The leading byte of a multi-byte character. */
function parseLeadByte(byte: number): Part | null {
  if (byte < 0xc2 || byte > 0xf4) return null;
  if (byte < 0xe0) return { bits: byte & 0x1f, missing: 1, lowest: 0x80 };
  if (byte < 0xf0) return { bits: byte & 0x0f, missing: 2, lowest: 0x800 };
  return { bits: byte & 0x07, missing: 3, lowest: 0x10000 };
}

interface From {
  key: string;
  take: Take;
  canTake(first: number, last: number): boolean;
}

function partOf(from: From, { bits, missing, lowest }: Part): Matcher | null {
  const first = Math.max(bits << (6 * missing), lowest);
  const last = Math.min(((bits + 1) << (6 * missing)) - 1, 0x10ffff);
  if (first > last || !from.canTake(first, last)) return null;
  return {
    key: `u${bits}:${missing}${from.key}`,
    isWhole: false,
    step(byte) {
      if ((byte & 0xc0) !== 0x80) return null;
      const more = (bits << 6) | (byte & 0x3f);
      if (missing > 1) return partOf(from, { bits: more, missing: missing - 1, lowest });
      return more >= lowest ? from.take(more) : null;
    },
  };
}

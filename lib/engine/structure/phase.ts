// The phases of a structured answer. A phase knows which tokens may come next, and the phase after each of them.

import { type Check, type GrammarOptions, type JsonSchema, openGrammar, toBytes } from './grammar/index.js';
import type { State } from './grammar/machine.js';
import { keepBits } from './token-bits.js';
import type { TokenTable } from './token-table.js';

export interface Phase {
  /** Accepts a token, or returns null without changing anything if it may not come next. */
  take(id: number): Taken | null;
  /** Sets the logits of disallowed tokens to -Infinity. */
  mask(logits: Float32Array): void;
  /** The tokens that may come next, if known to be few. */
  few(): readonly number[] | null;
  /** How to end the answer soonest; null if it may end anyway, or if that is not known. */
  ending(): Ending | null;
  /** Whether it is in a string of any length, and the tokens that end the string, list, object or answer here. */
  goesOn?(): { isString: boolean; ends: readonly number[] };
}

export interface Ending {
  /** Its length in bytes, which is cheaper to know than its tokens, and not less. */
  readonly bytes: number;
  /** Null if the vocabulary cannot write it. */
  tokens(): readonly number[] | null;
}

const NOTHING: Ending = { bytes: 0, tokens: () => [] };

function inTurn(first: Ending, second: Ending | null): Ending | null {
  if (!second) return null;
  return {
    bytes: first.bytes + second.bytes,
    tokens() {
      const [ids, others] = [first.tokens(), second.tokens()];
      return ids && others && [...ids, ...others];
    },
  };
}

const shorter = (a: Ending | null, b: Ending | null) => (a && b ? (a.bytes <= b.bytes ? a : b) : (a ?? b));

export interface Taken {
  next: Phase;
  /**
   * Whether the token belongs to the answer's text, a call's arguments, or the syntax around them. It is undecided as long as it may
   * be the syntax of a call or text: it is text if text is what follows, or the end.
   */
  writes: 'text' | 'arguments' | 'nothing' | 'undecided';
  /** The call that the arguments belong to. */
  call?: Call | undefined;
  /** For arguments that were not enforced in every respect: what is wrong with them. */
  check?: Check | undefined;
}

export interface Call {
  /** The call's index, from 0. */
  index: number;
  name: string;
}

/** The answer ends here. */
export const ENDED: Phase = {
  take: () => null,
  mask: logits => void logits.fill(Number.NEGATIVE_INFINITY),
  few: () => [],
  ending: () => NOTHING,
};

export interface Literal {
  text: Buffer;
  /** The next phase. */
  follow: () => Phase;
}

/** One of several literals; with `mayEnd`, the answer may end here instead. */
export function literals(table: TokenTable, all: readonly Literal[], mayEnd = false): Phase {
  const few = () => [
    ...(mayEnd ? table.endIds : []),
    ...new Set(all.flatMap(({ text }) => table.startsOf(text))),
  ];
  return {
    few,
    take(id) {
      if (table.endIds.has(id)) return mayEnd ? { next: ENDED, writes: 'nothing' } : null;
      const bytes = table.bytesOf(id);
      if (bytes.length === 0) return null;
      const left = all.filter(({ text }) => text.subarray(0, bytes.length).equals(bytes));
      if (left.length === 0) return null;
      const whole = left.find(({ text }) => text.length === bytes.length);
      const rest = left.map(({ text, follow }) => ({ text: text.subarray(bytes.length), follow }));
      return { next: whole ? whole.follow() : literals(table, rest), writes: 'nothing' };
    },
    mask: logits => keepOnly(logits, few()),
    goesOn: () => ({ isString: false, ends: mayEnd ? [...table.endIds] : [] }),
    ending() {
      if (mayEnd) return NOTHING;
      return all.reduce<Ending | null>((best, { text, follow }) => {
        if (best && best.bytes <= text.length) return best;
        const own = { bytes: text.length, tokens: () => table.tokensOf(text, false) };
        return shorter(best, inTurn(own, follow().ending()));
      }, null);
    },
  };
}

/** One of several texts, of which one may begin another. */
export function choice(table: TokenTable, texts: readonly string[]): Phase {
  const phaseAt = (left: readonly Buffer[]): Phase => {
    const mayEnd = left.some(text => text.length === 0);
    const few = () => [
      ...(mayEnd ? table.endIds : []),
      ...new Set(left.flatMap(text => (text.length === 0 ? [] : table.startsOf(text).filter(table.isText)))),
    ];
    return {
      few,
      take(id) {
        if (table.endIds.has(id)) return mayEnd ? { next: ENDED, writes: 'nothing' } : null;
        const bytes = table.isText(id) ? table.bytesOf(id) : [];
        if (bytes.length === 0) return null;
        const fitting = left.filter(text => text.subarray(0, bytes.length).equals(Buffer.from(bytes)));
        if (fitting.length === 0) return null;
        const rest = fitting.map(text => text.subarray(bytes.length));
        const isOver = rest.every(text => text.length === 0);
        return { next: isOver ? ENDED : phaseAt(rest), writes: 'text' };
      },
      mask: logits => keepOnly(logits, few()),
      goesOn: () => ({ isString: false, ends: mayEnd ? [...table.endIds] : [] }),
      ending() {
        const shortest = left.reduce((a, b) => (b.length < a.length ? b : a));
        return { bytes: shortest.length, tokens: () => table.tokensOf(shortest, true) };
      },
    };
  };
  return phaseAt(texts.map(text => Buffer.from(text)));
}

interface JsonOptions extends GrammarOptions {
  schema: JsonSchema;
  /** The call, if the value is its arguments. */
  call?: Call;
  /** Whether it belongs to the syntax around values. */
  isSyntax?: boolean;
  /** The phase after the value. By default, the answer ends. */
  follow?: () => Phase;
}

/** A value of a schema. Throws an `EngineError` for a schema that cannot be enforced. */
export function json(
  table: TokenTable,
  { schema, call, isSyntax = false, follow = () => ENDED, ...options }: JsonOptions,
): Phase {
  const grammar = openGrammar(table, schema, options);
  const writes = call ? 'arguments' : isSyntax ? 'nothing' : 'text';
  const phaseAt = (state: State): Phase => ({
    take(id) {
      if (table.endIds.has(id)) return state.isWhole ? { next: ENDED, writes: 'nothing' } : null;
      const next = grammar.take(state, id);
      if (!next) return null;
      const isOver = next.isWhole && next.threads.length === 0;
      return {
        next: isOver ? follow() : phaseAt(next),
        writes,
        call,
        ...(grammar.check && { check: grammar.check }),
      };
    },
    few() {
      const known = grammar.fewOf(state);
      return known && state.isWhole ? [...known, ...table.endIds] : known;
    },
    mask(logits) {
      const ends = [...table.endIds].map(id => [id, logits[id]!] as const);
      keepBits(logits, grammar.maskOf(state));
      if (state.isWhole) for (const [id, value] of ends) logits[id] = value;
    },
    goesOn() {
      const { isString, end } = grammar.goesOn(state);
      return { isString, ends: end === null ? [] : table.startingWith(end) };
    },
    ending() {
      const closing = grammar.closing(state);
      if (!closing) return null;
      const own = {
        bytes: closing.length,
        tokens: () => table.tokensOf(toBytes(closing), true),
      };
      return inTurn(own, follow().ending());
    },
  });
  return phaseAt(grammar.start);
}

/** One of two phases, of which the first may start with the syntax or the text of the second. If they share more, the first one. */
export function either(a: Phase, b: Phase): Phase {
  return {
    take(id) {
      const [first, second] = [a.take(id), b.take(id)];
      if (!first || !second || first.writes !== 'nothing') return first ?? second;
      if (second.next === ENDED) return second;
      const writes = second.writes === 'nothing' ? 'nothing' : 'undecided';
      return { next: either(first.next, second.next), writes };
    },
    few: () => null,
    ending: () => shorter(a.ending(), b.ending()),
    mask(logits) {
      const other = logits.slice();
      a.mask(logits);
      b.mask(other);
      for (let id = 0; id < logits.length; id++) logits[id] = Math.max(logits[id]!, other[id]!);
    },
  };
}

/**
 * A thought, which ends by its text. With `end`, no token goes on with an answer after it: that would not be
 * constrained. `last`: what was thought last, which may be a part of the end.
 */
export function thinking(table: TokenTable, end: Buffer | null = null, last = Buffer.alloc(0)): Phase {
  const phase: Phase = {
    take(id) {
      if (table.endIds.has(id)) return null;
      if (!end || !table.isText(id)) return { next: phase, writes: 'text' };
      const all = Buffer.concat([last, table.bytesOf(id)]);
      const at = all.indexOf(end);
      if (at >= 0 && !isBlank(all.subarray(at + end.length))) return null;
      const kept = all.subarray(Math.max(0, all.length - end.length + 1));
      return { next: thinking(table, end, kept), writes: 'text' };
    },
    mask(logits) {
      for (const id of table.endIds) logits[id] = Number.NEGATIVE_INFINITY;
      if (!end) return;
      const final = end.at(-1)!;
      for (let id = 0; id < logits.length; id++)
        if (table.bytesOf(id).includes(final) && !phase.take(id)) logits[id] = Number.NEGATIVE_INFINITY;
    },
    few: () => null,
    ending: () => null,
  };
  return phase;
}

const isBlank = (bytes: Buffer) => bytes.toString().trim() === '';

/** A phase with some white space before it. */
export function spaced(table: TokenTable, phase: Phase, most = 4): Phase {
  const isSpace = (id: number) => /^\s+$/.test(Buffer.from(table.bytesOf(id)).toString());
  return {
    ...phase,
    take(id) {
      if (most === 0 || !isSpace(id)) return phase.take(id);
      return { next: spaced(table, phase, most - 1), writes: 'text' };
    },
    few: () => null,
  };
}

function keepOnly(logits: Float32Array, ids: readonly number[]): void {
  const kept = ids.map(id => [id, logits[id]!] as const);
  logits.fill(Number.NEGATIVE_INFINITY);
  for (const [id, value] of kept) logits[id] = value;
}

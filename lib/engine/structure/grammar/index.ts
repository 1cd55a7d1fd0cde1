// Entry point of grammars: which tokens may come next, so that the text becomes a valid value of a schema.
import { EngineError, type RefusedPart } from '../../engine-error.js';
import { PatternError } from '../pattern/index.js';
import { addBits, emptyBits } from '../token-bits.js';
import type { TokenTable } from '../token-table.js';
import { markNode, type TokenTrie } from '../token-trie.js';
import { type Closing, firstByte } from './closing.js';
import { toGrammar } from './json-schema.js';
import { type JsonSchema, type Keywords, SchemaError, UnenforceableError } from './keywords.js';
import { createMachine, type Machine, type State } from './machine.js';
import { NOTHING_MORE } from './matcher.js';
import { type Check, createCheck } from './rules.js';

export { toBytes } from './closing.js';
export type { JsonSchema } from './keywords.js';
export type { Check } from './rules.js';

/** The grammar of a schema, for a vocabulary. */
interface Grammar {
  readonly start: State;
  /** Checks what it cannot enforce; null if it enforces the whole schema. */
  readonly check: Check | null;
  /** The state after the token; null if the token may not come next. */
  take(state: State, id: number): State | null;
  /** A bit for each token that may come next, except those that end the answer. */
  maskOf(state: State): Uint32Array;
  /** The shortest text that ends it, as far as it is known. */
  closing(state: State): Closing | null;
  /** What the state is in that may go on. */
  goesOn(state: State): GoingOn;
  /** The same as a list, if the mask is already computed and has few tokens. */
  fewOf(state: State): readonly number[] | null;
}

interface GoingOn {
  /** Whether it is in a string of any length. */
  readonly isString: boolean;
  /** The byte that would end the string, list or object here; null if none would. */
  readonly end: number | null;
}

export interface GrammarOptions {
  /** The source of the schema, for errors. */
  part: RefusedPart;
  /** Whether what cannot be enforced may be checked afterwards. */
  isLoose?: boolean | undefined;
}

/** Caches grammars across requests, with the masks of their states. */
const MOST_GRAMMARS = 32;
const grammarCaches = new WeakMap<TokenTable, Map<string, Grammar>>();

/** The longest schema, in characters of JSON. */
const LARGEST_SCHEMA = 100_000;

/** Throws an `EngineError` for a schema that cannot be enforced. */
export function openGrammar(
  table: TokenTable,
  schema: JsonSchema,
  { part, isLoose }: GrammarOptions,
): Grammar {
  const grammars = grammarCaches.get(table) ?? new Map<string, Grammar>();
  grammarCaches.set(table, grammars);
  try {
    const written = JSON.stringify(schema);
    const key = isLoose ? `loose ${written}` : written;
    if (written.length > LARGEST_SCHEMA)
      throw new SchemaError(`it has more than ${LARGEST_SCHEMA.toLocaleString('en')} characters`);
    const grammar = grammars.get(key) ?? createGrammar(table, schema, isLoose);
    grammars.delete(key);
    grammars.set(key, grammar);
    if (grammars.size > MOST_GRAMMARS) grammars.delete(grammars.keys().next().value!);
    return grammar;
  } catch (error) {
    if (error instanceof SchemaError || error instanceof PatternError || error instanceof RangeError)
      throw new EngineError('invalid_value', `The schema cannot be used: ${reasonOf(error)}.`, part);
    throw error;
  }
}

function createGrammar(table: TokenTable, schema: JsonSchema, isLoose = false): Grammar {
  let check: Check | null = null;
  const loosenChecked: typeof loosen = (given, error) => {
    const less = loosen(given, error);
    if (less) check ??= createCheck(schema);
    return less;
  };
  const machine = createMachine(toGrammar(schema, isLoose ? { loosen: loosenChecked } : {}));
  if (!machine.start) throw new SchemaError('no value fits it');
  // Known before the first token, which then need not wait for it.
  machine.closing(machine.start);
  return { ...forTokens(table, machine, machine.start), check };
}

/** A stack overflow is a `RangeError`. */
function reasonOf(error: SchemaError | PatternError | RangeError): string {
  return error instanceof RangeError
    ? 'it is nested too deeply, or has too many choices or too high limits'
    : error.message;
}

function forTokens(table: TokenTable, machine: Machine, start: State): Omit<Grammar, 'check'> {
  const masks = new WeakMap<State, Uint32Array>();
  const lists = new WeakMap<State, readonly number[] | null>();

  function take(state: State, id: number): State | null {
    if (!table.isText(id)) return null;
    let next: State | null = state;
    for (const byte of table.bytesOf(id)) {
      next = machine.step(next, byte);
      if (!next) return null;
    }
    return next;
  }

  /** Marks the tokens at a node and after it, if the node is reached in this state. */
  function walk(trie: TokenTrie, node: number, state: State, bits: Uint32Array): void {
    markNode(trie, node, bits);
    const { bytes, ends } = trie;
    for (let child = node + 1; child < ends[node]!; child = ends[child]!) {
      const next = machine.step(state, bytes[child]!);
      if (next) walk(trie, child, next, bits);
    }
  }

  /** Inside a string, almost every token may come next, so only the exceptions are checked one by one. */
  function compute(state: State): Uint32Array {
    const bits = emptyBits(table.size);
    const marking = state.threads.filter(({ matcher }) => matcher.mark);
    for (const thread of marking)
      thread.matcher.mark!(table.all, bits, node => walk(table.all, node, machine.finish(thread), bits));
    // A state that is kept whole keeps what is known of its steps.
    addOthers(marking.length === 0 ? state : machine.keep(state, ({ mark }) => !mark), bits);
    return bits;
  }

  function addOthers(state: State, bits: Uint32Array): void {
    const capacities = state.threads.flatMap(({ matcher }) => matcher.capacity ?? []);
    if (capacities.length === 0) {
      if (state.threads.length > 0) walk(table.all, 0, state, bits);
      return;
    }
    const { plainUpTo } = table;
    const plain = plainUpTo[Math.min(Math.max(...capacities), plainUpTo.length - 1)];
    if (plain) addBits(bits, plain);
    // All plain characters are equivalent, so only what follows them is checked.
    let inString: State | null = machine.keep(state, matcher => matcher.capacity !== undefined);
    for (let i = 0; i < table.afterPlain.length && inString; i++) {
      const trie = table.afterPlain[i];
      if (trie) walk(trie, 0, inString, bits);
      inString = machine.step(inString, PLAIN);
    }
    const rest = machine.keep(state, matcher => matcher.capacity === undefined);
    if (rest.threads.length > 0) walk(table.all, 0, rest, bits);
  }

  function goesOn(state: State): GoingOn {
    const endless = state.threads.find(({ matcher }) => matcher.isEndless)?.matcher;
    if (endless) return { isString: true, end: endless.step(QUOTE) === NOTHING_MORE ? QUOTE : null };
    const closing = machine.closing(state);
    const end = (closing && firstByte(closing)) ?? 0;
    return { isString: false, end: CLOSING.includes(end) ? end : null };
  }

  return {
    start,
    take,
    closing: machine.closing,
    goesOn,
    maskOf(state) {
      const found = masks.get(state);
      if (found) return found;
      const mask = compute(state);
      masks.set(state, mask);
      lists.set(state, listFew(mask));
      return mask;
    },
    fewOf: state => lists.get(state) ?? null,
  };
}

/** Sampling from a short list is faster than from a mask. */
const FEW = 128;

function listFew(bits: Uint32Array): number[] | null {
  const ids: number[] = [];
  for (const [word, value] of bits.entries()) {
    for (let rest = value; rest !== 0; rest &= rest - 1) {
      if (ids.length === FEW) return null;
      ids.push(word * 32 + (31 - Math.clz32(rest & -rest)));
    }
  }
  return ids;
}

const QUOTE = 0x22;
const CLOSING = Buffer.from(']}');

/** Any character that needs no escape. */
const PLAIN = 'a'.charCodeAt(0);

/**
 * Enforces only a part of a schema, where the rest is checked afterwards: the schema without the keyword that cannot be enforced;
 * null if it cannot be helped.
 */
function loosen(given: Keywords, error: unknown): Keywords | null {
  const isPattern = error instanceof PatternError;
  if (!isPattern && !(error instanceof UnenforceableError)) return null;
  const named = isPattern || error.keyword === 'pattern' ? ABOUT_TEXTS : [error.keyword];
  const keyword = [...named, ...COMBINING].find(name => given[name] !== undefined);
  if (keyword === undefined) return null;
  const { [keyword]: dropped, ...less } = given;
  return keyword === 'oneOf' && less.anyOf === undefined ? { ...less, anyOf: dropped } : less;
}

const ABOUT_TEXTS = ['pattern', 'notPattern', 'format', 'patternProperties', 'propertyNames'];

/** Parts that cannot be enforced together. */
const COMBINING = ['allOf', 'not', 'oneOf', 'anyOf', '$ref'];

// Parses text byte by byte with a grammar, tracking every way it could continue. Grammars are sequences and choices of
// matchers, and can be recursive.
import { CLOSED, type Closing, createClosings, join } from './closing.js';
import { literal, type Matcher, NOTHING_MORE, type Node, WHITESPACE } from './matcher.js';

export type { Node } from './matcher.js';

export const match = (matcher: Matcher): Node => ({ kind: 'match', matcher });
export const sequence = (...items: Node[]): Node => ({ kind: 'sequence', items });
export const choice = (...items: Node[]): Node => ({ kind: 'choice', items });
export const text = (value: string): Node => match(literal(Buffer.from(value)));
/** Optional white space between two parts of a value. */
export const space: Node = match(WHITESPACE);
export const NOTHING: Node = sequence();
export const NEVER: Node = choice();

export function later(make: () => Node): Node {
  let made: Node | undefined;
  return {
    kind: 'later',
    get() {
      made ??= make();
      return made;
    },
  };
}

/** Creates one node per key. */
export function remember<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return key => {
    const found = made.get(key);
    if (found !== undefined) return found;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/** One way to continue: a matcher, and what follows it. */
interface Thread {
  matcher: Matcher;
  rest: Rest | null;
}

/** What follows, as a linked list. Equal lists are the same object. */
interface Rest {
  node: Node;
  next: Rest | null;
  id: number;
  /** Undefined until it is needed. */
  closing?: Closing | null;
}

interface Threads {
  all: Map<string, Thread>;
  begun: Set<string>;
}

export interface State {
  readonly threads: readonly Thread[];
  /** Whether the text may end here. */
  readonly isWhole: boolean;
  readonly key: string;
}

export interface Machine {
  /** The initial state; null if no text matches. */
  readonly start: State | null;
  /** The state after the byte; null if the byte may not come next. */
  step(state: State, byte: number): State | null;
  /** The state with only some of its continuations. */
  keep(state: State, isKept: (matcher: Matcher) => boolean): State;
  /** The shortest text that ends it, as far as it is known. */
  closing(state: State): Closing | null;
  /** The state when a thread's matcher has read all that it reads. */
  finish(thread: Thread): State;
}

/** The cache of states is cleared beyond this many. */
const MOST_STATES = 20_000;

export function createMachine(grammar: Node): Machine {
  const canEnd = createFinite();
  const closingOf = createClosings();
  const closings = new WeakMap<State, Closing | null>();
  const rests = new Map<string, Rest>();
  const nodeIds = new WeakMap<Node, number>();
  let states = new Map<string, State>();
  let steps = new WeakMap<State, Map<number, State | null>>();
  let lastId = 0;

  function idOf(node: Node): number {
    const id = nodeIds.get(node) ?? ++lastId;
    nodeIds.set(node, id);
    return id;
  }

  function restOf(node: Node, next: Rest | null): Rest {
    const key = `${idOf(node)}:${next?.id ?? 0}`;
    const rest = rests.get(key) ?? { node, next, id: ++lastId };
    rests.set(key, rest);
    return rest;
  }

  /** Adds the ways to start a node. Returns whether the whole text may end here. */
  function begin(node: Node, rest: Rest | null, threads: Threads): boolean {
    if (node.kind === 'later') {
      // A choice can reach itself again without consuming a byte.
      const key = `${idOf(node)}@${rest?.id ?? 0}`;
      if (threads.begun.has(key)) return false;
      threads.begun.add(key);
      return begin(node.get(), rest, threads);
    }
    if (node.kind === 'choice')
      return node.items.map(item => canEnd(item) && begin(item, rest, threads)).includes(true);
    if (node.kind === 'sequence') {
      const [first, ...others] = node.items;
      if (!first) return goOn(rest, threads);
      return begin(
        first,
        others.reduceRight<Rest | null>((next, item) => restOf(item, next), rest),
        threads,
      );
    }
    return add(node.matcher, rest, threads);
  }

  function goOn(rest: Rest | null, threads: Threads): boolean {
    return rest ? begin(rest.node, rest.next, threads) : true;
  }

  function add(matcher: Matcher, rest: Rest | null, threads: Threads): boolean {
    if (matcher !== NOTHING_MORE) {
      const key = `${matcher.key}@${rest?.id ?? 0}`;
      if (threads.all.has(key)) return false;
      threads.all.set(key, { matcher, rest });
    }
    return matcher.isWhole && goOn(rest, threads);
  }

  function stateOf(threads: ReadonlyMap<string, Thread>, isWhole: boolean): State {
    const key = `${[...threads.keys()].sort().join(' ')}${isWhole ? '!' : ''}`;
    const found = states.get(key);
    if (found) return found;
    if (states.size >= MOST_STATES) {
      states = new Map();
      steps = new WeakMap();
    }
    const state = { threads: [...threads.values()], isWhole, key };
    states.set(key, state);
    return state;
  }

  function compute(state: State, byte: number): State | null {
    const threads: Threads = { all: new Map(), begun: new Set() };
    let isWhole = false;
    for (const { matcher, rest } of state.threads) {
      const next = matcher.step(byte);
      if (next && add(next, rest, threads)) isWhole = true;
    }
    return threads.all.size === 0 && !isWhole ? null : stateOf(threads.all, isWhole);
  }

  /** From the end of the list, which may be long. */
  function closeRest(rest: Rest | null): Closing | null {
    const open: Rest[] = [];
    let at = rest;
    for (; at && at.closing === undefined; at = at.next) open.push(at);
    let closing: Closing | null = at ? at.closing! : CLOSED;
    for (const part of open.toReversed()) {
      const own: Closing | null = closing && closingOf(part.node);
      closing = own && closing && join(own, closing);
      part.closing = closing;
    }
    return closing;
  }

  function close(state: State): Closing | null {
    if (state.isWhole) return CLOSED;
    let best: Closing | null = null;
    for (const { matcher, rest } of state.threads) {
      const after = closeRest(rest);
      const found = after && join(matcher.closing(), after);
      if (found && (!best || found.length < best.length)) best = found;
    }
    return best;
  }

  function startState(): State | null {
    if (!canEnd(grammar)) return null;
    const threads: Threads = { all: new Map(), begun: new Set() };
    const isWhole = begin(grammar, null, threads);
    return stateOf(threads.all, isWhole);
  }

  return {
    start: startState(),
    step(state, byte) {
      const known = steps.get(state) ?? new Map<number, State | null>();
      steps.set(state, known);
      const found = known.get(byte);
      if (found !== undefined) return found;
      const next = compute(state, byte);
      known.set(byte, next);
      return next;
    },
    keep(state, isKept) {
      const kept = state.threads.filter(({ matcher }) => isKept(matcher));
      return { threads: kept, isWhole: false, key: `${state.key}-` };
    },
    closing(state) {
      const found = closings.get(state);
      if (found !== undefined) return found;
      const closing = close(state);
      closings.set(state, closing);
      return closing;
    },
    finish({ rest }) {
      const threads: Threads = { all: new Map(), begun: new Set() };
      const isWhole = goOn(rest, threads);
      return stateOf(threads.all, isWhole);
    },
  };
}

/** Spends budget on one node. Schemas that need more are rejected, so that they do not block other requests. */
const MOST_LOOKS = 20_000;

/** Whether any text matches a node. None does if it always contains itself, or has no options left. */
function createFinite(): (node: Node) => boolean {
  const finite = new WeakSet<Node>();
  const above = new Set<Node>();
  let looks = 0;

  function hasEnd(node: Node): boolean {
    if (node.kind === 'later') return look(node.get());
    if (node.kind === 'sequence') return node.items.every(look);
    return node.kind === 'choice' && node.items.some(look);
  }

  function look(node: Node): boolean {
    if (node.kind === 'match' || finite.has(node)) return true;
    if (++looks > MOST_LOOKS) throw new RangeError('A grammar has too many choices.');
    if (above.has(node)) return false;
    above.add(node);
    const found = hasEnd(node);
    above.delete(node);
    if (found) finite.add(node);
    return found;
  }

  return node => {
    looks = 0;
    above.clear();
    return look(node);
  };
}

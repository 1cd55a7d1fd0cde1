// Turns an expression into an NFA.
import { type Budget, tooComplex } from './budget.js';
import { type CharacterSet, CharacterSets } from './character-set.js';
import type { Expression } from './parse.js';

const MOST_PARTS = 20_000;

export interface Condition {
  readonly expression: Expression;
  /** The text must not match it. */
  readonly isNegative?: boolean;
  /** The expression matches only from the start of the text. */
  readonly isAnchored?: boolean;
}

interface Edges {
  /** Transitions without a character: the target, an assertion that must hold, and a lookahead (in `aheads`) to start. */
  free: { to: number; if?: (Expression & { kind: 'assert' })['what']; ahead?: number }[];
  /** A transition on any character of the set. */
  taken?: { set: CharacterSet; to: number };
}

export interface Nondeterministic {
  readonly parts: readonly Edges[];
  readonly start: number;
  readonly end: number;
  readonly isNegative: boolean;
  /** The lookaheads, positive or negative. */
  readonly aheads: readonly Nondeterministic[];
  readonly sets: readonly CharacterSet[];
  readonly hasBoundaries: boolean;
}

export function createNondeterministic(
  { expression, isNegative = false, isAnchored = false }: Condition,
  budget: Budget,
): Nondeterministic {
  const parts: Edges[] = [];
  const sets: CharacterSet[] = [];
  const aheads: Nondeterministic[] = [];
  let hasBoundaries = false;

  function add(): number {
    budget(1);
    if (parts.length >= MOST_PARTS) throw tooComplex();
    return parts.push({ free: [] }) - 1;
  }

  /** Adds the transitions for a node; returns the part where it ends. */
  function write(node: Expression, from: number): number {
    if (node.kind === 'sequence') return node.items.reduce((at, item) => write(item, at), from);
    const to = add();
    if (node.kind === 'character') {
      sets.push(node.set);
      parts[from]!.free.push({ to: addTaking(node.set, to) });
    } else if (node.kind === 'assert') {
      if (node.what.endsWith('boundary')) hasBoundaries = true;
      parts[from]!.free.push({ to, if: node.what });
    } else if (node.kind === 'ahead') parts[from]!.free.push({ to, ahead: addAhead(node) });
    else if (node.kind === 'choice')
      for (const item of node.items) parts[write(item, branch(from))]!.free.push({ to });
    else repeat(node, from, to);
    return to;
  }

  function addAhead({ item, isNegative }: Expression & { kind: 'ahead' }): number {
    const machine = createNondeterministic({ expression: item, isNegative, isAnchored: true }, budget);
    sets.push(...machine.sets);
    hasBoundaries ||= machine.hasBoundaries;
    return aheads.push(machine) - 1;
  }

  function branch(from: number): number {
    const to = add();
    parts[from]!.free.push({ to });
    return to;
  }

  function addTaking(set: CharacterSet, to: number): number {
    const part = add();
    parts[part]!.taken = { set, to };
    return part;
  }

  function repeat({ item, min, max }: Expression & { kind: 'repeat' }, from: number, to: number): void {
    let at = from;
    for (let i = 0; i < min; i++) at = write(item, at);
    if (max === Number.POSITIVE_INFINITY) {
      const loop = branch(at);
      parts[write(item, loop)]!.free.push({ to: loop });
      parts[loop]!.free.push({ to });
      return;
    }
    for (let i = min; i < max; i++) {
      parts[at]!.free.push({ to });
      at = write(item, branch(at));
    }
    parts[at]!.free.push({ to });
  }

  const anything: Expression = {
    kind: 'repeat',
    item: { kind: 'character', set: CharacterSets.all },
    min: 0,
    max: Number.POSITIVE_INFINITY,
  };
  const start = add();
  const end = write(
    { kind: 'sequence', items: [...(isAnchored ? [] : [anything]), expression, anything] },
    start,
  );
  return { parts, start, end, isNegative, aheads, sets, hasBoundaries };
}

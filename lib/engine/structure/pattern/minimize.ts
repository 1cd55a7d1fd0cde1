// Minimizes a DFA, by Hopcroft's algorithm: long repetitions take no round for each state.
import { DEAD, type Table } from './table.js';

/** Minimizes: merges equivalent states, and replaces those that accept nothing by `DEAD`. */
export function minimize(table: Table): Table {
  const { groups, members } = groupStates(table);
  const groupOf = (state: number) => (state === DEAD ? DEAD : groups[state]!);
  return {
    starts: table.starts.map(groupOf),
    next: members.map(state => table.next[state]!.map(groupOf)),
    accepting: members.map(state => table.accepting[state]!),
  };
}

interface Groups {
  /** The group of each state; `DEAD` for those that accept nothing. */
  readonly groups: readonly number[];
  /** A state of each group. */
  readonly members: readonly number[];
}

/** Where a state is entered from, and by which class. */
type Entering = readonly { readonly from: number; readonly given: number }[];

function groupStates({ next, accepting }: Table): Groups {
  const entering = findEntering(next);
  const isLive = findLive(entering, accepting);
  const all = [true, false]
    .map(is => new Set([...next.keys()].filter(state => isLive[state] && accepting[state] === is)))
    .filter(({ size }) => size > 0);
  const groups = next.map((_, state) => all.findIndex(group => group.has(state)));
  const open = new Set(all.keys());

  function split(group: number, apart: readonly number[]): void {
    const rest = all[group]!;
    if (apart.length === rest.size) return;
    const made = all.push(new Set(apart)) - 1;
    for (const state of apart) {
      rest.delete(state);
      groups[state] = made;
    }
    // What enters both has been told apart from what enters neither: the smaller one is enough.
    open.add(open.has(group) || apart.length <= rest.size ? made : group);
  }

  // This visits what is added meanwhile, too.
  for (const group of open) {
    open.delete(group);
    const sources = new Map<number, number[]>();
    for (const state of all[group]!)
      for (const { from, given } of entering[state]!) push(sources, given, from);
    for (const states of sources.values()) {
      const byGroup = new Map<number, number[]>();
      for (const state of states) push(byGroup, groups[state]!, state);
      for (const [other, apart] of byGroup) split(other, apart);
    }
  }
  return { groups, members: all.map(group => [...group][0]!) };
}

function push(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function findEntering(next: Table['next']): readonly Entering[] {
  const entering = next.map((): { from: number; given: number }[] => []);
  for (const [from, row] of next.entries())
    for (const [given, to] of row.entries()) if (to !== DEAD) entering[to]!.push({ from, given });
  return entering;
}

/** The states from which an accepting state can be reached. */
function findLive(entering: readonly Entering[], accepting: readonly boolean[]): boolean[] {
  const isLive = [...accepting];
  const open = isLive.flatMap((is, state) => (is ? [state] : []));
  for (const state of open)
    for (const { from } of entering[state]!)
      if (!isLive[from]) {
        isLive[from] = true;
        open.push(from);
      }
  return isLive;
}

// A list with a selected row, and the commands that move the selection.
import { keepInSight, moveWithin } from '../../../lib/console/index.js';
import { useKept } from '../dashboard-context.js';
import type { Commands } from '../keys/bindings.js';
import { replaced } from '../state/store.js';

/**
 * The selected row by ID, so that it stays selected when rows are added or removed, and the top visible row.
 */
interface Selection {
  readonly chosen: string | null;
  readonly top: number;
}

export interface ListNow<Item> {
  /** The index of the selected row: 0 if it is not in the list, -1 if the list is empty. */
  readonly chosen: number;
  readonly item: Item | undefined;
  /** The index of the top row. */
  readonly top: number;
  /** How many rows fit. */
  readonly height: number;
  /** The visible items. */
  readonly shown: readonly Item[];
  /** Empty if the list is empty. */
  readonly commands: Commands;
  choose(index: number): void;
  /** Whether this item is selected at the time of the call. */
  isChosen(item: Item): boolean;
}

export interface ListOptions<Item> {
  /** The name under which the selection is stored. */
  readonly name: string;
  /** How many rows fit. */
  readonly height: number;
  readonly idOf: (item: Item) => string;
  /** Called when the last row is selected, even if it already was. */
  readonly onEnd?: () => void;
}

const NOTHING: Selection = { chosen: null, top: 0 };

export function useList<Item>(
  items: readonly Item[],
  { name, height, idOf, onEnd }: ListOptions<Item>,
): ListNow<Item> {
  const [selection, store] = useKept(`list ${name}`, replaced<Selection>, NOTHING);
  const indexOf = ({ chosen }: Selection) => {
    const index = items.findIndex(item => idOf(item) === chosen);
    return index >= 0 ? index : Math.min(0, items.length - 1);
  };
  const chosen = indexOf(selection);
  const top = keepInSight(selection.top, chosen, height, items.length);

  function choose(index: number): void {
    const item = items[index];
    if (item === undefined) return;
    store.dispatch({ chosen: idOf(item), top: keepInSight(top, index, height, items.length) });
    if (index === items.length - 1) onEnd?.();
  }
  const move = (distance: number) => choose(moveWithin(indexOf(store.state), distance, items.length));

  return {
    chosen,
    item: items[chosen],
    top,
    height,
    shown: items.slice(top, top + height),
    choose,
    isChosen: item => (store.state.chosen ?? (items[0] && idOf(items[0]))) === idOf(item),
    commands:
      items.length === 0
        ? {}
        : {
            previous: () => move(-1),
            next: () => move(1),
            pageUp: () => move(-height),
            pageDown: () => move(height),
            first: () => move(Number.NEGATIVE_INFINITY),
            last: () => move(Number.POSITIVE_INFINITY),
          },
  };
}

/** Selects an item that may not be listed yet. */
export function useSelect(name: string): (id: string) => void {
  const [, store] = useKept(`list ${name}`, replaced<Selection>, NOTHING);
  return id => store.dispatch({ chosen: id, top: 0 });
}

/** The value at that distance, wrapping around at both ends. */
export function neighborOf<Value>(values: readonly Value[], value: Value, distance: number): Value {
  const { length } = values;
  return values[(values.indexOf(value) + distance + length) % length]!;
}

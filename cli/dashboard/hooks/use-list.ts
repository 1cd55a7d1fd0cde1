// A list with one selected row, and the commands that move the selection.
import { keepInSight, moveWithin } from '../../../lib/console/index.js';
import { useKept } from '../dashboard-context.js';
import type { Commands } from '../keys/bindings.js';
import { replaced } from '../state/store.js';

/** The selected row, by its ID so that it stays selected when other rows come and go, and the top visible row. */
interface Selection {
  readonly chosen: string | null;
  readonly top: number;
}

export interface ListNow<Item> {
  /** The index of the selected row: the first if it is not listed, -1 without rows. */
  readonly chosen: number;
  readonly item: Item | undefined;
  /** The index of the top row. */
  readonly top: number;
  /** How many rows fit. */
  readonly height: number;
  /** What can be seen. */
  readonly shown: readonly Item[];
  /** Empty without rows. */
  readonly commands: Commands;
  choose(index: number): void;
}

export interface ListOptions<Item> {
  /** Tells apart the selections that are kept while another view is shown. */
  readonly name: string;
  /** How many rows fit. */
  readonly height: number;
  readonly idOf: (item: Item) => string;
  /** The last row was selected, perhaps again. */
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

/** Selects what will be listed soon. */
export function useSelect(name: string): (id: string) => void {
  const [, store] = useKept(`list ${name}`, replaced<Selection>, NOTHING);
  return id => store.dispatch({ chosen: id, top: 0 });
}

/** The value that far from this one; the last is followed by the first. */
export function neighborOf<Value>(values: readonly Value[], value: Value, distance: number): Value {
  const { length } = values;
  return values[(values.indexOf(value) + distance + length) % length]!;
}

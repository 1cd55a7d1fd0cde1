// A list with one selected row, and the commands that move the selection.
import { keepInSight, moveWithin } from '../../../lib/console/index.js';
import type { Commands } from './bindings.js';

type Row = { readonly id: string };

/** The selected row, by its ID so that it stays selected when other rows come and go, and the top visible row. */
export interface Selection {
  readonly chosen: string | null;
  readonly top: number;
}

/** The index of the selected row; the first row if it is not listed, -1 without rows. */
export function chosenIndex(rows: readonly Row[], chosen: string | null): number {
  const index = rows.findIndex(({ id }) => id === chosen);
  return index >= 0 ? index : Math.min(0, rows.length - 1);
}

export function moveSelection<State extends Selection>(
  state: State,
  rows: readonly Row[],
  { distance, height }: { readonly distance: number; readonly height: number },
): State {
  const index = moveWithin(chosenIndex(rows, state.chosen), distance, rows.length);
  const chosen = rows[index]?.id ?? null;
  const top = keepInSight(state.top, index, height, rows.length);
  return chosen === state.chosen && top === state.top ? state : { ...state, chosen, top };
}

export function listCommands(move: (distance: number) => void, height: number): Commands {
  return {
    previous: () => move(-1),
    next: () => move(1),
    pageUp: () => move(-height),
    pageDown: () => move(height),
    first: () => move(Number.NEGATIVE_INFINITY),
    last: () => move(Number.POSITIVE_INFINITY),
  };
}

/** The value that far from this one; the last is followed by the first. */
export function neighborOf<Value>(values: readonly Value[], value: Value, distance: number): Value {
  const { length } = values;
  return values[(values.indexOf(value) + distance + length) % length]!;
}

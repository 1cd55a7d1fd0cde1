// The visible part of a list as lines: the selected row is inverted, and every row can be clicked.
import { keepInSight } from '../../../lib/console/index.js';
import { clickable, fitLine, highlight, type Line } from './line.js';

interface ListPlace {
  /** The index of the selected row. */
  readonly chosen: number;
  /** The index of the top row when it was last drawn. */
  readonly top: number;
  readonly width: number;
  /** How many items fit. */
  readonly inSight: number;
}

/** An item may take several lines. */
export function listRows<Item>(
  items: readonly Item[],
  { chosen, top, width, inSight }: ListPlace,
  draw: (item: Item) => readonly Line[],
): Line[] {
  const first = keepInSight(top, chosen, inSight, items.length);
  return items.slice(first, first + inSight).flatMap((item, index) => {
    const distance = first + index - chosen;
    return draw(item).map(row =>
      clickable(distance === 0 ? highlight(row, width) : fitLine(row, width), distance),
    );
  });
}

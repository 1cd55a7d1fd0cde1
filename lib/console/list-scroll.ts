// A scrolling list with one selected row: where the selection moves, and which row is at the top.

/** The index `distance` rows away, clamped to the list; -1 if it is empty. */
export function moveWithin(index: number, distance: number, count: number): number {
  return Math.min(count - 1, Math.max(0, index + distance));
}

/** The index of the top row. It changes only if the selected row would be out of view. */
export function keepInSight(top: number, chosen: number, height: number, count: number): number {
  const lowest = Math.max(0, count - height);
  const nearest = Math.max(chosen - height + 1, Math.min(top, chosen));
  return Math.min(lowest, Math.max(0, nearest));
}

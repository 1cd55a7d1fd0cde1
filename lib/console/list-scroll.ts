// A list of which some rows are in sight and one is chosen: where the choice goes, and which row is at the top.

/** The index that many rows away, kept within the list; -1 in an empty one. */
export function moveWithin(index: number, distance: number, count: number): number {
  return Math.min(count - 1, Math.max(0, index + distance));
}

/** The index of the row at the top: as it was, unless the chosen one would be out of sight. */
export function keepInSight(top: number, chosen: number, height: number, count: number): number {
  const lowest = Math.max(0, count - height);
  const nearest = Math.max(chosen - height + 1, Math.min(top, chosen));
  return Math.min(lowest, Math.max(0, nearest));
}

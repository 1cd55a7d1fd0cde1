// From the losses of a pass's labels to the mean loss of each of its rows.
import { countLabels, type Example } from '../packing.js';

export interface RowLoss {
  /** Its index among all rows of the data set. */
  row: number;
  /** How many tokens were learned from it. */
  labels: number;
  /** The mean over them. */
  loss: number;
}

/** `labelLosses` has the labels in the order in which `toPass` writes them. Leaves out examples that are not of a row. */
export function sumByRow(lines: readonly (readonly Example[])[], labelLosses: ArrayLike<number>): RowLoss[] {
  const losses: RowLoss[] = [];
  let at = 0;
  for (const example of lines.flat()) {
    const labels = countLabels(example);
    let sum = 0;
    for (const end = at + labels; at < end; at++) sum += labelLosses[at]!;
    if (example.row !== undefined && labels > 0)
      losses.push({ row: example.row, labels, loss: sum / labels });
  }
  return losses;
}

// The row that a person means by a number in a file. Blank lines and headers make numbers larger than places.

interface Named {
  file: string;
  number: number;
}

/** The place of the row with this number in the first file; null if no row has it. */
export function findNumber(number: number, rows: number, nameOf: (row: number) => Named): number | null {
  const { file } = nameOf(0);
  let [low, high] = [0, Math.min(rows, number)];
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = nameOf(middle);
    if (found.file === file && found.number < number) low = middle + 1;
    else high = middle;
  }
  if (low === rows) return null;
  const found = nameOf(low);
  return found.file === file && found.number === number ? low : null;
}

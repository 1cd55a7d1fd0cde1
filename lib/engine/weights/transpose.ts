// Adapters are kept transposed where they are computed with: PEFT has B as [out, rank], the graphs want [rank, out].

/** [rows, columns] -> [columns, rows] */
export function transpose(values: Float32Array, rows: number, columns: number): Float32Array {
  const turned = new Float32Array(values.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++)
      turned[column * rows + row] = values[row * columns + column]!;
  }
  return turned;
}

// Rows as an aligned table: text to the left, numbers to the right, as many decimals as their size deserves.
export type Row = Record<string, string | number>;

export function renderTable(rows: Row[]): string {
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))];
  const body = rows.map(row => columns.map(column => renderCell(row[column])));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...body.map(cells => cells[index]!.length)),
  );
  const isNumeric = columns.map(column => rows.every(row => typeof row[column] !== 'string'));
  const renderLine = (cells: string[]) =>
    cells
      .map((cell, index) => (isNumeric[index] ? cell.padStart(widths[index]!) : cell.padEnd(widths[index]!)))
      .join('  ')
      .trimEnd();
  return [columns, widths.map(width => '─'.repeat(width)), ...body].map(renderLine).join('\n');
}

function renderCell(value: string | number | undefined): string {
  if (typeof value !== 'number') return value ?? '';
  if (Number.isInteger(value)) return value.toLocaleString('en');
  const decimals = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
  return value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

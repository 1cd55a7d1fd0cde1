// The keys of a terminal as rows, grouped by where they work, in two columns where there is room.
import { displayWidth } from './display-width.js';
import { paragraphRows, type Span } from './spans.js';

export interface HelpGroup {
  readonly title: string;
  readonly entries: readonly (readonly [keys: string, does: string])[];
}

const KEYS = 18;
const TWO_COLUMNS = 116;

export function helpColumns(groups: readonly HelpGroup[], width: number): Span[][][] {
  const isWide = width >= TWO_COLUMNS;
  const rows = groups.map(({ title, entries }) => [
    [{ text: title, style: { bold: true } }],
    ...entries.flatMap(entry => entryRows(entry, isWide ? Math.floor(width / 2) : width)),
    [{ text: ' ' }],
  ]);
  if (!isWide) return [rows.flat()];
  const total = rows.flat().length;
  const columns: [Span[][], Span[][]] = [[], []];
  for (const group of rows) columns[columns[0].length < total / 2 ? 0 : 1].push(...group);
  return columns;
}

/** Text that does not fit beside its keys goes below them. */
function entryRows([keys, does]: HelpGroup['entries'][number], width: number): Span[][] {
  const pressed: Span = { text: `  ${keys}`.padEnd(KEYS), style: { tone: 'accent' } };
  if (displayWidth(pressed.text) + displayWidth(does) < width) return [[pressed, { text: ` ${does}` }]];
  return [[pressed], ...paragraphRows(does, width - 4).map(row => [{ text: `    ${row}` }])];
}

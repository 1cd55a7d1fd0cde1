// Formats tables, single items and times as text.
import {
  cutMiddle,
  cutStart,
  cutToWidth,
  displayWidth,
  formatLocalTime,
  formatRelativeTime,
  padToWidth,
} from '../../../lib/console/index.js';
import type { Screen } from '../../screen.js';
import { type Style, toSafeLine } from '../../style.js';

export interface Column<Row> {
  title: string;
  text(row: Row): string;
  /** Used instead when the line is too narrow. */
  short?: (row: Row) => string;
  /** The minimum width when cells are cut. */
  least?: number;
  /** The maximum width, also where programs read: for texts that may be long, and are whole in JSON. */
  most?: number;
  /** Where cells are cut. Default: at the end. */
  cut?: 'start' | 'middle';
  /** May be dropped if there is no room; the last such column goes first. */
  spare?: true;
  paint?: (text: string, row: Row) => string;
}

interface Laid<Row> extends Column<Row> {
  cells: string[];
  width: number;
}

const GAP = '  ';
const CUTS = { start: cutStart, middle: cutMiddle, end: cutToWidth };

/**
 * On a terminal the table fits the width: it uses short forms first, then cuts cells, then drops columns.
 * Programs get everything but long texts in full.
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, style }: Pick<Screen, 'width' | 'style'>,
): string {
  const laid = layOutWithin(width, columns, rows);
  const line = (texts: string[]) => `${texts.join(GAP).trimEnd()}\n`;
  const header = line(
    laid.map(({ title, width: room, cut }) => style.bold(padToWidth(CUTS[cut ?? 'end'](title, room), room))),
  );
  const body = rows.map((row, index) =>
    line(
      laid.map(({ cells, width: room, paint, cut }) => {
        const text = CUTS[cut ?? 'end'](cells[index]!, room);
        return (paint?.(text, row) ?? text) + ' '.repeat(room - displayWidth(text));
      }),
    ),
  );
  return header + body.join('');
}

function layOutWithin<Row>(
  width: number,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Laid<Row>[] {
  let laid = columns.map(column => layOut(column, rows, column.text));
  if (totalWidth(laid) <= width) return laid;
  laid = columns.map(column => layOut(column, rows, column.short ?? column.text));
  while (leastWidth(laid) > width) {
    const last = laid.findLastIndex(({ spare }) => spare);
    if (last === -1) break;
    laid = laid.toSpliced(last, 1);
  }
  return cutWidest(laid, width);
}

function layOut<Row>(column: Column<Row>, rows: readonly Row[], text: (row: Row) => string): Laid<Row> {
  const title = toSafeLine(column.title);
  const cells = rows.map(row => toSafeLine(text(row)));
  const width = Math.max(displayWidth(title), ...cells.map(displayWidth));
  return { ...column, title, cells, width: Math.min(width, column.most ?? width) };
}

/** Narrows the widest column that may be cut, one character at a time, until the line fits. */
function cutWidest<Row>(laid: readonly Laid<Row>[], width: number): Laid<Row>[] {
  const cut = laid.map(column => ({ ...column }));
  for (let excess = totalWidth(cut) - width; excess > 0; excess--) {
    const [widest] = cut
      .filter(({ least, width: room }) => least !== undefined && room > least)
      .sort((a, b) => b.width - a.width);
    if (!widest) break;
    widest.width--;
  }
  return cut;
}

function totalWidth<Row>(laid: readonly Laid<Row>[]): number {
  return sum(laid.map(({ width }) => width));
}

function leastWidth<Row>(laid: readonly Laid<Row>[]): number {
  return sum(laid.map(({ width, least }) => Math.min(width, least ?? width)));
}

function sum(widths: readonly number[]): number {
  return widths.reduce((all, width) => all + width, 0) + GAP.length * Math.max(0, widths.length - 1);
}

/** A fact without a value is omitted. */
export type Fact = readonly [name: string, value: string | null];

/** One item: one fact per line, with the names in their own column. */
export function renderFacts(facts: readonly Fact[], { dim }: Style): string {
  const known = facts.filter(([, value]) => value !== null);
  const width = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, value]) => `${dim(name.padEnd(width))}  ${toSafeLine(value!)}\n`).join('');
}

/** Local time on a terminal, ISO 8601 elsewhere; a dash if null. */
export function timeText(iso: string | null, { isTerminal }: Pick<Screen, 'isTerminal'>): string {
  if (iso === null) return '–';
  return isTerminal ? formatLocalTime(iso) : iso;
}

/** The age in short form: `5 minutes ago`. */
export function ageText(iso: string | null): string {
  return iso === null ? '–' : formatRelativeTime(iso, new Date());
}

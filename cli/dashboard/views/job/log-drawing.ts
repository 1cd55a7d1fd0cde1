// A job's event log as lines: the event's name in its own column, long messages on several rows.
import {
  type LogEntry,
  type RowPlace,
  type RowSource,
  toSafeLine,
  wrapToWidth,
} from '../../../../lib/console/index.js';
import { fitLine, type Line, quiet, span, type Tone } from '../../drawing/line.js';

const NAME_WIDTH = 18;
const GAP = 2;

/** Events highlighted among the steps. */
const TONES: Readonly<Record<string, Tone>> = {
  'checkpoint.saved': 'training',
  'training.completed': 'completed',
  'training.failed': 'failed',
};

const wrapped = new WeakMap<LogEntry, { width: number; rows: string[] }>();

export function logSource(log: readonly LogEntry[], width: number): RowSource {
  return {
    first: log[0]?.key ?? 0,
    end: (log.at(-1)?.key ?? -1) + 1,
    rowsOf: key => rowsOf(entryOf(log, key), width).length,
  };
}

export function logLines(log: readonly LogEntry[], places: readonly RowPlace[], width: number): Line[] {
  return places.map(({ item, row }) => {
    const entry = entryOf(log, item);
    const name = row === 0 && entry ? entry.event : '';
    return [...nameCell(name), span(' '.repeat(GAP)), span(rowsOf(entry, width)[row] ?? '')];
  });
}

function nameCell(name: string): Line {
  const tone = TONES[name];
  const style = tone ? { tone } : quiet;
  return fitLine([span(name, style)], NAME_WIDTH);
}

/** Keys are consecutive, except after an event without a message. */
function entryOf(log: readonly LogEntry[], key: number): LogEntry | undefined {
  const guess = log[key - (log[0]?.key ?? 0)];
  return guess?.key === key ? guess : log.find(entry => entry.key === key);
}

function rowsOf(entry: LogEntry | undefined, width: number): string[] {
  if (!entry) return [''];
  const known = wrapped.get(entry);
  if (known?.width === width) return known.rows;
  const rows = wrapToWidth(toSafeLine(entry.message), Math.max(1, width - NAME_WIDTH - GAP));
  wrapped.set(entry, { width, rows });
  return rows;
}

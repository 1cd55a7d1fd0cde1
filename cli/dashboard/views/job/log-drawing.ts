// A job's event log as lines: the event's name in its own column, long messages on several rows.
import {
  type LogChoices,
  type LogEntry,
  logTime,
  type RowPlace,
  type RowSource,
  toSafeLine,
  viewLog,
  wrapToWidth,
} from '../../../../lib/console/index.js';
import { fitLine, type Line, quiet, span, type Tone } from '../../drawing/line.js';
import type { JobPageState } from './state.js';

const NAME_WIDTH = 18;
const GAP = 2;

/** Events highlighted among the steps. */
const TONES: Readonly<Record<string, Tone>> = {
  'checkpoint.saved': 'training',
  'training.completed': 'completed',
  'training.failed': 'failed',
};

const TIME_WIDTH = 8;

/** Its entries are shown one after the other, whatever was left out between them. */
export function shownLog({ job, logChoices }: JobPageState): readonly LogEntry[] {
  return viewLog(job.log, logChoices);
}

const wrapped = new WeakMap<LogEntry, { width: number; rows: string[] }>();

/** A filter leaves gaps between the keys, so that items are counted from the first entry. */
export function logSource(log: readonly LogEntry[], width: number, choices: LogChoices): RowSource {
  const first = firstItem(log);
  return {
    first,
    end: first + log.length,
    rowsOf: item => rowsOf(log[item - first], messageWidth(width, choices)).length,
  };
}

export function logLines(
  log: readonly LogEntry[],
  places: readonly RowPlace[],
  width: number,
  choices: LogChoices,
): Line[] {
  const first = firstItem(log);
  return places.map(({ item, row }) => {
    const entry = log[item - first];
    const name = row === 0 && entry ? entry.event : '';
    const message = span(rowsOf(entry, messageWidth(width, choices))[row] ?? '');
    const gap = span(' '.repeat(GAP));
    if (!choices.showsTime) return [...nameCell(name), gap, message];
    const time = row === 0 && entry ? logTime(entry) : '';
    return [span(time.padEnd(TIME_WIDTH), quiet), gap, ...nameCell(name), gap, message];
  });
}

/** Of an unfiltered log, keys are consecutive, so that an entry keeps its number when others are dropped. */
function firstItem(log: readonly LogEntry[]): number {
  return log[0]?.key ?? 0;
}

function messageWidth(width: number, { showsTime }: LogChoices): number {
  return Math.max(1, width - NAME_WIDTH - GAP - (showsTime ? TIME_WIDTH + GAP : 0));
}

function nameCell(name: string): Line {
  const tone = TONES[name];
  const style = tone ? { tone } : quiet;
  return fitLine([span(name, style)], NAME_WIDTH);
}

function rowsOf(entry: LogEntry | undefined, width: number): string[] {
  if (!entry) return [''];
  const known = wrapped.get(entry);
  if (known?.width === width) return known.rows;
  const rows = wrapToWidth(toSafeLine(entry.message), width);
  wrapped.set(entry, { width, rows });
  return rows;
}

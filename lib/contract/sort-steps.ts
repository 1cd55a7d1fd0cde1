// Puts the steps among a job's events into tables of columns. It reads their texts, without parsing them: an event belongs to
// a table if its text has the table's pieces in their places, and between them values in the form that JSON.stringify has.
import { STEP_EVENT, TIME_FIELD, toTime } from './logged-steps.js';

interface SortedSteps {
  /** As JSON. */
  readonly tables: string;
  /** For each event, its table; null for an event in none. */
  readonly placed: readonly (number | null)[];
}

interface Sortable {
  readonly event: string;
  readonly data: string;
}

/** A table whose values are still the texts of numbers, since writing a number takes longer than all else. */
interface Filling {
  readonly pieces: readonly string[];
  readonly columns: { readonly field: string; readonly values: string[] }[];
}

/** Events that differ in more than numbers would each get a table. */
const MOST_TABLES = 8;

export function sortSteps(events: readonly Sortable[]): SortedSteps {
  const tables: Filling[] = [];
  let last = 0;
  const place = ({ event, data }: Sortable): number | null => {
    if (event !== STEP_EVENT) return null;
    // Most are like the one before.
    if (tables[last] && addTo(tables[last]!, data)) return last;
    let found = tables.findIndex(table => addTo(table, data));
    if (found < 0 && tables.length < MOST_TABLES) {
      const table = startTable(data);
      if (table && addTo(table, data)) found = tables.push(table) - 1;
    }
    if (found < 0) return null;
    last = found;
    return found;
  };
  return { placed: events.map(place), tables: `[${tables.map(toJson).join()}]` };
}

function toJson({ pieces, columns }: Filling): string {
  const written = columns.map(
    ({ field, values }) => `{"field":${JSON.stringify(field)},"values":[${values.join()}]}`,
  );
  return `{"pieces":${JSON.stringify(pieces)},"columns":[${written.join()}]}`;
}

/** An empty table for events like this one; null if it is no step, or has a time in another form. */
function startTable(data: string): Filling | null {
  const payload = parseObject(data);
  if (typeof payload?.step !== 'number') return null;
  const columns: Filling['columns'] = [];
  const pieces: string[] = [];
  let piece = '';
  let before = '{';
  for (const [field, value] of Object.entries(payload)) {
    piece += `${before}${JSON.stringify(field)}:`;
    before = ',';
    const isTime = field === TIME_FIELD;
    if (isTime && (typeof value !== 'string' || readTime(value) === undefined)) return null;
    if (isTime || typeof value === 'number' || value === null) {
      columns.push({ field, values: [] });
      pieces.push(isTime ? `${piece}"` : piece);
      piece = isTime ? '"' : '';
    } else piece += JSON.stringify(value);
  }
  return { pieces: [...pieces, `${piece}}`], columns };
}

function parseObject(data: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const row: string[] = [];

/** False if the event does not fit, which changes nothing. */
function addTo({ pieces, columns }: Filling, data: string): boolean {
  let at = 0;
  for (let index = 0; index < columns.length; index++) {
    const piece = pieces[index]!;
    if (!data.startsWith(piece, at)) return false;
    at += piece.length;
    const { field } = columns[index]!;
    const end = field === TIME_FIELD ? at + TIME_LENGTH : endOfNumber(data, at);
    const text = data.slice(at, end);
    if (field === TIME_FIELD) {
      const time = readTime(text);
      if (time === undefined) return false;
      row[index] = String(time);
    } else if (isNumber(text) || (text === 'null' && field !== 'step')) row[index] = text;
    else return false;
    at = end;
  }
  const rest = pieces[columns.length]!;
  if (data.length !== at + rest.length || !data.endsWith(rest)) return false;
  for (let index = 0; index < columns.length; index++) columns[index]!.values.push(row[index]!);
  return true;
}

const NUMBER = /[-+.\de]+|null/y;
/** Numbers of up to 15 digits that have one form only; testing others means to write them again. */
const SHORT_NUMBER = /^(?:0|-?[1-9]\d{0,14}|-?(?=[\d.]{3,16}$)(?:0|[1-9]\d*)\.(?!0{6})\d*[1-9])$/;

function endOfNumber(data: string, at: number): number {
  NUMBER.lastIndex = at;
  return NUMBER.test(data) ? NUMBER.lastIndex : at;
}

/** A number in another form would come back in this one. */
function isNumber(text: string): boolean {
  return SHORT_NUMBER.test(text) || String(Number(text)) === text;
}

const TIME_LENGTH = '2026-01-02T03:04:05.678Z'.length;
const MINUTE_LENGTH = '2026-01-02T03:04:'.length;
const SECONDS = /^[0-5]\d\.\d{3}Z$/;

/** Times come in order, so that the minute is mostly that of the one before. */
let minute = { text: '', ms: 0 };

/** Undefined for a time in another form. */
function readTime(text: string): number | undefined {
  const start = text.slice(0, MINUTE_LENGTH);
  const seconds = text.slice(MINUTE_LENGTH);
  if (!SECONDS.test(seconds)) return undefined;
  if (start !== minute.text) {
    const first = `${start}00.000Z`;
    const ms = Date.parse(first);
    if (Number.isNaN(ms) || toTime(ms) !== first) return undefined;
    minute = { text: start, ms };
  }
  return minute.ms + Math.round(Number.parseFloat(seconds) * 1000);
}

// Puts the steps among a job's events into tables of columns. It reads their texts, without parsing them: an event belongs to
// a table if its text has the table's pieces in their places, and between them values in the form that JSON.stringify has.
import { STEP_EVENT, TIME_FIELD, toTime } from './logged-steps.js';
import { parseObject } from './parse-object.js';

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
  readonly pattern: RegExp;
}

/** Without its number, an event is no step. */
const STEP_FIELD = 'step';
/** Events that differ in more than numbers would each get a table. */
const MOST_TABLES = 8;

/** `isOwn`: JSON.stringify has written them, so that numbers need not be tested. */
export function sortSteps(events: readonly Sortable[], isOwn: boolean): SortedSteps {
  const tables: Filling[] = [];
  let last = 0;
  const place = ({ event, data }: Sortable): number | null => {
    if (event !== STEP_EVENT) return null;
    // Most are like the one before.
    if (tables[last] && addTo(tables[last]!, data, isOwn)) return last;
    let found = tables.findIndex(table => addTo(table, data, isOwn));
    if (found < 0 && tables.length < MOST_TABLES) {
      const table = startTable(data);
      if (table && addTo(table, data, isOwn)) found = tables.push(table) - 1;
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
    if (isTime && !isTimeText(value)) return null;
    if (isTime || typeof value === 'number' || value === null) {
      columns.push({ field, values: [] });
      pieces.push(isTime ? `${piece}"` : piece);
      piece = isTime ? '"' : '';
    } else piece += JSON.stringify(value);
  }
  const table = { pieces: [...pieces, `${piece}}`], columns };
  return { ...table, pattern: toPattern(table) };
}

function isTimeText(value: unknown): boolean {
  return typeof value === 'string' && TIME_FORM.test(value) && readTime(value) !== undefined;
}

/** False if the event does not fit, which changes nothing. */
function addTo({ pattern, columns }: Filling, data: string, isOwn: boolean): boolean {
  const found = pattern.exec(data);
  if (!found) return false;
  for (let at = 0; at < columns.length; at++) {
    const text = found[at + 1]!;
    const { field } = columns[at]!;
    if (field === TIME_FIELD) {
      const time = readTime(text);
      if (time === undefined) return false;
      found[at + 1] = String(time);
    } else if (text === 'null' ? field === STEP_FIELD : !isOwn && !isUsual(text)) return false;
  }
  for (let at = 0; at < columns.length; at++) columns[at]!.values.push(found[at + 1]!);
  return true;
}

const NUMBER = String.raw`(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]\d+)?|null)`;
const TIME = String.raw`(\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d\.\d{3}Z)`;

const TIME_FORM = new RegExp(`^${TIME}$`);

/** Matches the events of a table, and takes their values. */
function toPattern({ pieces, columns }: Pick<Filling, 'pieces' | 'columns'>): RegExp {
  const values = columns.map(({ field }) => (field === TIME_FIELD ? TIME : NUMBER));
  return new RegExp(`^${pieces.map((piece, at) => toLiteral(piece) + (values[at] ?? '')).join('')}$`);
}

const toLiteral = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** Numbers of up to 15 digits that have one form only; to test others, they are written again. */
const SHORT_NUMBER = /^(?:0|-?[1-9]\d{0,14}|-?(?=[\d.]{3,16}$)(?:0|[1-9]\d*)\.(?!0{6})\d*[1-9])$/;

/** Whether a number is in the form that it will have when it is written again. */
function isUsual(text: string): boolean {
  return SHORT_NUMBER.test(text) || String(Number(text)) === text;
}

const MINUTE_LENGTH = '2026-01-02T03:04:'.length;

/** Times come in order, so that the minute is mostly that of the one before. */
let minute = { text: '', ms: 0 };

/** Undefined for a time in another form, or that is none. */
function readTime(text: string): number | undefined {
  if (!text.startsWith(minute.text) || minute.text === '') {
    const ms = Date.parse(text);
    if (Number.isNaN(ms) || toTime(ms) !== text) return undefined;
    minute = { text: text.slice(0, MINUTE_LENGTH), ms: ms - (ms % 60_000) };
  }
  return minute.ms + Math.round(Number.parseFloat(text.slice(MINUTE_LENGTH, -1)) * 1000);
}

// Many events of a job in one message of an event stream, for readers that ask for it: a log of 100,000 events would
// otherwise be 100,000 messages, and as many objects to parse. Every event comes back to the letter.
import { LoggedSteps, STEP_EVENT, type StepTable, TIME_FIELD, toTime } from './logged-steps.js';

/** The query parameter that asks Studio for batches, and the type of their messages. */
export const EVENT_BATCH = 'batch';

/** Fewer events are not worth a batch. */
const LEAST_BATCHED = 20;

export interface SingleEvent {
  readonly id: string;
  readonly event: string;
  /** The exact text of `data:`. */
  readonly data: string;
}

/** What an event stream brings: an event, or many steps in a row. */
export type StreamedEvents = SingleEvent | LoggedSteps;

interface Batch {
  /** The number of the first event; the others follow without gaps. */
  readonly first: number;
  readonly tables: readonly StepTable[];
  /** Events in no table: their types and data. */
  readonly others: readonly (readonly [event: string, data: string])[];
  /** In pairs: a table, or -1 for the others, and how many of its events come next. */
  readonly order: readonly number[];
}

const NO_TABLE = -1;

/**
 * Events as a message of an event stream, with the number of the last; null if they are too few, or numbers are missing.
 * `isOwn`: their data was written by JSON.stringify, which makes it faster.
 */
export function batchMessage(events: readonly SingleEvent[], { isOwn = false } = {}): string | null {
  const first = Number(events[0]?.id);
  if (events.length < LEAST_BATCHED || !events.every(({ id }, at) => id === String(first + at))) return null;
  const { tables, placed } = sortSteps(events, isOwn);
  const others = events
    .filter((_, at) => placed[at] === null)
    .map(({ event, data }) => [event, data] as const);
  const rest = JSON.stringify({ first, others, order: toOrder(placed) });
  const batch = `{"tables":${tables},${rest.slice(1)}`;
  return `id: ${events.at(-1)!.id}\nevent: ${EVENT_BATCH}\ndata: ${batch}\n\n`;
}

function toOrder(placed: readonly (number | null)[]): number[] {
  const order: number[] = [];
  for (const place of placed) {
    const table = place ?? NO_TABLE;
    if (order.at(-2) === table) order[order.length - 1]!++;
    else order.push(table, 1);
  }
  return order;
}

/** The events of a batch, in order. `text`: the data of its message. */
export function readBatch(text: string): StreamedEvents[] {
  const { first, tables, others, order }: Batch = JSON.parse(text);
  const events: StreamedEvents[] = [];
  const used = new Map<number, number>();
  let id = first;
  for (let at = 0; at < order.length; at += 2) {
    const table = order[at]!;
    const count = order[at + 1]!;
    const from = used.get(table) ?? 0;
    if (table !== NO_TABLE) events.push(new LoggedSteps(tables[table]!, from, id, count));
    else
      others.slice(from, from + count).forEach(([event, data], index) => {
        events.push({ id: String(id + index), event, data });
      });
    used.set(table, from + count);
    id += count;
  }
  return events;
}

export function countEvents(events: readonly StreamedEvents[]): number {
  return events.reduce((sum, item) => sum + (item instanceof LoggedSteps ? item.length : 1), 0);
}

/** The data of an event. What is no object has no fields to read. */
export function parseObject(data: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(data);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

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

/**
 * Puts the steps among events into tables of columns. It reads their texts, without parsing them: an event belongs to a
 * table if its text has the table's pieces in their places, and between them values in the form that JSON.stringify has.
 * `isOwn`: JSON.stringify has written them, so that numbers need not be tested.
 */
function sortSteps(events: readonly Sortable[], isOwn: boolean): SortedSteps {
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

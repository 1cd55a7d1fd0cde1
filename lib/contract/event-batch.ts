// Many events of a job in one message of an event stream, for readers that ask for it: a log of 100,000 events would
// otherwise be 100,000 messages, and as many objects to parse. Every event comes back to the letter.
import { LoggedSteps, type StepTable } from './logged-steps.js';
import { sortSteps } from './sort-steps.js';

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

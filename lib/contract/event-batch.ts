// Many events of a job in one message of an event stream, for readers that ask for it: a log of 100,000 events would
// otherwise be 100,000 messages. JSON has neither of the two separators.

/** The query parameter that asks for batches, and the type of their messages. */
export const EVENT_BATCH = 'batch';

const BETWEEN = '\u001e';
const WITHIN = '\t';

interface BatchedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

const MESSAGE = /^id: ?(\d+)\nevent: ?([\w.]+)\ndata: ?([^\r\n]*)\n\n/gm;

/** Several messages of an event stream as one with the number of the last; null unless each has the usual form. */
export function batchMessages(text: string): string | null {
  const records = text.replace(MESSAGE, `$1${WITHIN}$2${WITHIN}$3${BETWEEN}`).slice(0, -BETWEEN.length);
  const last = records.lastIndexOf(BETWEEN);
  if (last < 0 || records.includes('\n')) return null;
  const id = records.slice(last + 1, records.indexOf(WITHIN, last));
  return `id: ${id}\nevent: ${EVENT_BATCH}\ndata: ${records}\n\n`;
}

export function readBatch(text: string): BatchedEvent[] {
  return text.split(BETWEEN).flatMap(record => {
    const first = record.indexOf(WITHIN);
    const second = record.indexOf(WITHIN, first + 1);
    if (first < 0 || second < 0) return [];
    return [
      { id: record.slice(0, first), event: record.slice(first + 1, second), data: record.slice(second + 1) },
    ];
  });
}

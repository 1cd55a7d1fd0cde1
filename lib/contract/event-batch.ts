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

/** The data of a message. */
export function writeBatch(events: readonly BatchedEvent[]): string {
  return events.map(({ id, event, data }) => `${id}${WITHIN}${event}${WITHIN}${data}`).join(BETWEEN);
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

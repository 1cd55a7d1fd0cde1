// Puts events of a stream that arrive together into one message. What is alone, and what is no event, passes as it came.
import { EVENT_BATCH, writeBatch } from '../../contract/index.js';
import { encodeEvents } from '../../http/index.js';

interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Whole messages so far, and the start of the next one. */
interface Gathered {
  readonly bytes: Uint8Array | null;
  readonly rest: string;
}

const END = '\n\n';
const encoder = new TextEncoder();

export function gatherEvents(text: string): Gathered {
  const end = text.lastIndexOf(END);
  if (end < 0) return { bytes: null, rest: text };
  const blocks = text.slice(0, end).split(END);
  const rest = text.slice(end + END.length);
  const events = blocks.length > 1 ? readAll(blocks) : null;
  if (!events) return { bytes: encoder.encode(text.slice(0, end + END.length)), rest };
  return {
    bytes: encodeEvents([{ id: events.at(-1)!.id, event: EVENT_BATCH, data: writeBatch(events) }]),
    rest,
  };
}

/** Null unless each is an event of the usual form. */
function readAll(blocks: readonly string[]): StreamEvent[] | null {
  const events: StreamEvent[] = [];
  for (const block of blocks) {
    const event = readBlock(block);
    if (!event) return null;
    events.push(event);
  }
  return events;
}

const BLOCK = /^id: ?(\d+)\nevent: ?([\w.]+)\ndata: ?([^\n]*)$/;

function readBlock(block: string): StreamEvent | null {
  const [, id, event, data] = BLOCK.exec(block) ?? [];
  return id === undefined || event === undefined || data === undefined ? null : { id, event, data };
}

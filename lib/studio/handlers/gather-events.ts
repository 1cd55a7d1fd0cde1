// Puts events of a stream that arrive together into batches. What is no event, and what comes with it, passes as it came.
import { batchMessage, type SingleEvent } from '../../contract/index.js';

/** Whole messages so far, and the start of the next one. */
interface Gathered {
  readonly bytes: Uint8Array | null;
  readonly rest: string;
}

const END = '\n\n';
const MESSAGE = /id: ?(\d+)\nevent: ?([\w.]+)\ndata: ?([^\r\n]*)\n\n/y;
const encoder = new TextEncoder();

export function gatherEvents(text: string): Gathered {
  const last = text.lastIndexOf(END);
  if (last < 0) return { bytes: null, rest: text };
  const end = last + END.length;
  const whole = text.slice(0, end);
  const events = readMessages(whole);
  return { bytes: encoder.encode((events && batchMessage(events)) ?? whole), rest: text.slice(end) };
}

/** Null unless each is an event in the usual form. */
function readMessages(text: string): SingleEvent[] | null {
  const events: SingleEvent[] = [];
  let end = 0;
  MESSAGE.lastIndex = 0;
  for (let found = MESSAGE.exec(text); found; found = MESSAGE.exec(text)) {
    events.push({ id: found[1]!, event: found[2]!, data: found[3]! });
    end = MESSAGE.lastIndex;
  }
  return end === text.length ? events : null;
}

// Puts events of a stream that arrive together into one message. What is alone, and what is no event, passes as it came.
import { batchMessages } from '../../contract/index.js';

/** Whole messages so far, and the start of the next one. */
interface Gathered {
  readonly bytes: Uint8Array | null;
  readonly rest: string;
}

const END = '\n\n';
const encoder = new TextEncoder();

export function gatherEvents(text: string): Gathered {
  const last = text.lastIndexOf(END);
  if (last < 0) return { bytes: null, rest: text };
  const end = last + END.length;
  const whole = text.slice(0, end);
  return { bytes: encoder.encode(batchMessages(whole) ?? whole), rest: text.slice(end) };
}

// Turns the tokens of calls into pieces. A call that repeats an earlier one is left out, so a call is held back while it
// may still become one, and so is a call whose arguments are checked at their end.
import type { Taken } from '../structure/index.js';
import type { CallPiece } from './request.js';

export interface CallWriter {
  /** Takes a token of a call: a part of its arguments, or of the syntax around them. Returns what became certain. */
  push(bytes: Uint8Array, taken: Taken): CallPiece | null;
  /** How many calls were written, at least in part. */
  readonly count: number;
  /** Whether a call's arguments have started and not ended. */
  readonly isOpen: boolean;
  /** Whether the last call is one that was there before. */
  readonly isRepeating: boolean;
  /** What is wrong with the last call, which is left out; null if nothing is. */
  readonly problem: string | null;
}

interface Writing {
  call: CallPiece['call'];
  text: string;
  /** The end of the text that was not returned yet. */
  held: string;
  check: Taken['check'];
}

export function createCallWriter(): CallWriter {
  const known = new Set<string>();
  let writing: Writing | null = null;
  let decoder = new TextDecoder();
  let count = 0;
  let isRepeating = false;
  let problem: string | null = null;

  function release(current: Writing): CallPiece | null {
    const { call, held } = current;
    current.held = '';
    if (held === '') return null;
    count = Math.max(count, call.index + 1);
    return { text: '', tokenIds: [], call, arguments: held };
  }

  function finish(current: Writing): CallPiece | null {
    const what = current.check?.(JSON.parse(current.text));
    if (what) {
      problem = `The model's arguments for ${current.call.name} do not fit its parameters: ${what}.`;
      return null;
    }
    const key = toKey(current);
    isRepeating = known.has(key);
    known.add(key);
    return isRepeating ? null : release(current);
  }

  return {
    push(bytes, { writes, call, check }) {
      problem = null;
      if (writes === 'arguments' && call) {
        if (!writing) decoder = new TextDecoder();
        writing ??= { call, text: '', held: '', check };
        const text = decoder.decode(bytes, { stream: true });
        writing.text += text;
        writing.held += text;
        const start = toKey(writing);
        return check || [...known].some(key => key.startsWith(start)) ? null : release(writing);
      }
      if (!writing) return null;
      const ended = writing;
      writing = null;
      return finish(ended);
    },
    get count() {
      return count;
    },
    get isOpen() {
      return writing !== null;
    },
    get isRepeating() {
      return isRepeating;
    },
    get problem() {
      return problem;
    },
  };
}

/** Equal for calls that differ only in white space. Keys of unfinished calls are prefixes. */
function toKey({ call, text }: Writing): string {
  return `${call.name} ${text.replace(/("(?:[^"\\]|\\.)*"?)|\s+/gs, '$1')}`;
}

// Turns the tokens of calls into pieces. A call that repeats an earlier one is left out, so a call is held back while it
// may still become one.
import type { Taken } from '../structure/index.js';
import type { CallPiece } from './request.js';

export interface CallWriter {
  /** Takes a token of a call: a part of its arguments, or of the syntax around them. Returns what became certain. */
  push(bytes: Uint8Array, taken: Taken): CallPiece | null;
  /** How many calls were written, at least in part. */
  readonly count: number;
  /** Whether the last call is one that was there before. */
  readonly isRepeating: boolean;
}

interface Writing {
  call: CallPiece['call'];
  text: string;
  /** The end of the text that was not returned yet. */
  held: string;
}

export function createCallWriter(): CallWriter {
  const known = new Set<string>();
  let writing: Writing | null = null;
  let decoder = new TextDecoder();
  let count = 0;
  let isRepeating = false;

  function release(current: Writing): CallPiece | null {
    const { call, held } = current;
    current.held = '';
    if (held === '') return null;
    count = Math.max(count, call.index + 1);
    return { text: '', tokenIds: [], call, arguments: held };
  }

  function finish(current: Writing): CallPiece | null {
    const key = toKey(current);
    isRepeating = known.has(key);
    known.add(key);
    return isRepeating ? null : release(current);
  }

  return {
    push(bytes, { writes, call }) {
      if (writes === 'arguments' && call) {
        if (!writing) decoder = new TextDecoder();
        writing ??= { call, text: '', held: '' };
        const text = decoder.decode(bytes, { stream: true });
        writing.text += text;
        writing.held += text;
        const start = toKey(writing);
        return [...known].some(key => key.startsWith(start)) ? null : release(writing);
      }
      if (!writing) return null;
      const ended = writing;
      writing = null;
      return finish(ended);
    },
    get count() {
      return count;
    },
    get isRepeating() {
      return isRepeating;
    },
  };
}

/** Equal for calls that differ only in white space. Keys of unfinished calls are prefixes. */
function toKey({ call, text }: Writing): string {
  return `${call.name} ${text.replace(/("(?:[^"\\]|\\.)*"?)|\s+/gs, '$1')}`;
}

// Tells what a model thinks from what it answers. Stop sequences, shapes and log probabilities are about the answer alone.
import type { Thought } from '../text/index.js';
import { createStopScanner } from './piece-builder.js';
import type { TextDecoding } from './request.js';
import type { SampledToken } from './sampler.js';

export interface ThoughtStep {
  /** What is thought, without white space around it. */
  thought: string;
  /** Whether the token is part of the thought, or may still become it. */
  isThought: boolean;
  /** What follows the thought's end in the same token. */
  rest?: string;
  /** Earlier tokens that turn out to be part of the answer. */
  held?: readonly SampledToken[];
}

export interface ThoughtReader {
  push(token: SampledToken): ThoughtStep;
  /** When no token follows. */
  finish(): ThoughtStep;
  /** `before`: whether the answer starts with a thought is not known yet. */
  readonly state: 'before' | 'inside' | 'over';
  /** The thought's tokens, with its marks. */
  readonly tokenCount: number;
}

export function createThoughtReader(decoding: TextDecoding, { start, end, isOpen }: Thought): ThoughtReader {
  const decoder = decoding.createStreamDecoder({ skipSpecialTokens: true });
  const scanner = createStopScanner([end]);
  const trim = createTrimmer();
  let state: ThoughtReader['state'] = isOpen ? 'inside' : 'before';
  const held: SampledToken[] = [];
  let heldText = '';
  let tokenCount = 0;

  /** The text of a mark counts even if its token is a special one. */
  function textOf(id: number): string {
    if (!decoding.isSpecial(id)) return decoder.push(id);
    const written = Buffer.from(decoding.bytesOf(id)).toString();
    return written === start || written === end ? decoder.flush() + written : decoder.push(id);
  }

  function think(text: string): ThoughtStep {
    const scan = scanner.push(text);
    const thought = trim(scan.text);
    if (!scan.stopped) return { thought, isThought: true };
    state = 'over';
    return { thought, isThought: true, rest: scan.rest! };
  }

  function answer(): ThoughtStep {
    state = 'over';
    return { thought: '', isThought: false, held };
  }

  return {
    push(token) {
      const text = textOf(token.id);
      if (state === 'inside') {
        tokenCount++;
        return think(text);
      }
      heldText = (heldText + text).trimStart();
      if (heldText.startsWith(start)) {
        state = 'inside';
        tokenCount = held.length + 1;
        return think(heldText.slice(start.length));
      }
      if (!start.startsWith(heldText)) return answer();
      held.push(token);
      return { thought: '', isThought: true };
    },
    finish() {
      if (state === 'before') return answer();
      const isCut = state === 'inside';
      state = 'over';
      return {
        thought: isCut ? trim(scanner.push(decoder.flush()).text + scanner.flush()) : '',
        isThought: isCut,
      };
    },
    get state() {
      return state;
    },
    get tokenCount() {
      return tokenCount;
    },
  };
}

/** Leaves out white space at the start, and holds back what may be at the end. */
function createTrimmer(): (text: string) => string {
  let hasBegun = false;
  let space = '';
  return text => {
    const all = hasBegun ? space + text : text.trimStart();
    const said = all.trimEnd();
    hasBegun ||= said !== '';
    space = all.slice(said.length);
    return said;
  };
}

// Entry point of structured output: constrains an answer token by token to a JSON value, function calls, or text that may
// contain calls.
import { EngineError, type RefusedPart } from '../engine-error.js';
import { type CallShape, createCalls } from './calls.js';
import type { JsonSchema } from './grammar/index.js';
import {
  choice,
  ENDED,
  type Ending,
  either,
  json,
  literals,
  type Phase,
  spaced,
  type Taken,
  thinking,
} from './phase.js';
import type { TokenTable } from './token-table.js';

export type { CallNotation } from './calls.js';
export type { JsonSchema } from './grammar/index.js';
export type { Call, Taken } from './phase.js';
export {
  createTokenTable,
  createTokenTableInSlices,
  type StructureText,
  type TokenTable,
} from './token-table.js';

export interface AnswerShape {
  /** The answer is a JSON value. */
  json?: JsonSchema | undefined;
  /** The answer is one of these texts. */
  choices?: readonly string[] | undefined;
  calls?: CallShape | undefined;
}

export interface Structure {
  /** Chooses the next token among those that may come next, so that the answer can end within `left` tokens with it. */
  choose(logits: Float32Array, pick: (logits: Float32Array) => number, left?: number): number;
  /** The role of the last chosen token. */
  readonly taken: Taken;
  /** What starts a call in free text; undefined if the answer is no free text. */
  readonly starts: readonly string[] | undefined;
  /** Switches to a call, after its start and any text in the same token. */
  begin(written: string): void;
  /** A thought has started: until it is over, anything may come but the end. */
  think(): void;
  /** The thought is over. */
  answer(): void;
  /** Goes back to the start of the last call's arguments. */
  restartCall(): void;
  /** Whether the answer must end here. */
  readonly isEnded: boolean;
  /** Whether it was closed because few tokens were left. */
  readonly isCut: boolean;
}

/** Throws an `EngineError` for a schema that cannot be enforced. */
export function createStructure(
  table: TokenTable,
  { json: schema, choices, calls: asked }: AnswerShape,
  thought?: { readonly start: string; readonly end: string; readonly isOpen: boolean },
): Structure {
  const part: RefusedPart = schema === undefined && !choices ? 'tools' : 'json';
  const calls = asked && createCalls(table, asked);
  const value = choices
    ? choice(table, choices)
    : schema === undefined
      ? undefined
      : json(table, { schema, part });
  const isFree = !asked?.isRequired && !value;
  const think = () => thinking(table, thought && !isFree ? Buffer.from(thought.end) : null);
  let phase = start();
  let taken: Taken = { next: phase, writes: 'nothing' };
  /** Where the last call's arguments started. */
  let callStart = phase;
  let isCut = false;
  /** Whether the tokens at the start were enough to close it. */
  let mayClose = true;
  let lean = createLeaning();
  /** The rest of the tokens that close the answer. */
  let way: readonly number[] | null = null;

  function start(): Phase {
    if (thought?.isOpen) return think();
    // In free text, the thought is found by its text, as calls are.
    if (!thought || isFree) return first();
    const mark = literals(table, [{ text: Buffer.from(thought.start), follow: think }]);
    // A token that starts a value, such as `[`, is not taken for a part of the mark.
    return either(first(), mark);
  }

  function first(): Phase {
    if (!calls) return value!;
    if (asked!.isRequired) return calls.whole;
    return value ? either(calls.whole, value) : free();
  }

  /** Free text until a token starts a call. If the start spans several tokens, the caller detects it and calls `begin`. */
  function free(): Phase {
    const starts = calls!.starts.map(text => ({ text, bytes: Buffer.from(text) }));
    const phase: Phase = {
      take(id) {
        const start = starts.find(({ bytes }) => bytes.equals(table.bytesOf(id)));
        return start
          ? { next: calls!.begun(start.text), writes: 'nothing' }
          : { next: phase, writes: 'text' };
      },
      mask: () => {},
      few: () => null,
      ending: () => null,
    };
    return phase;
  }

  /** What to take instead, if the answer could no longer be closed after a token. */
  function closeInTime(next: Phase, left: number): number | undefined {
    const ending = next.ending();
    if (!mayClose || !ending || ending.bytes < left || tokensWithin(ending, left - 1)) {
      way = null;
      return undefined;
    }
    const ids = way ?? tokensWithin(phase.ending(), left);
    way = ids?.slice(1) ?? null;
    mayClose = ids !== null;
    return ids?.length === 0 ? [...table.endIds][0] : ids?.[0];
  }

  /** The tokens that end the answer soonest, if they are few enough. */
  function tokensWithin(ending: Ending | null, most: number): readonly number[] | null {
    if (!ending || ending.bytes > most * table.longest) return null;
    const ids = ending.tokens();
    return ids && ids.length <= most ? ids : null;
  }

  return {
    choose(given, pick, left = Number.POSITIVE_INFINITY) {
      const logits = lean(given, phase, left);
      const few = phase.few();
      // Samples first and checks after, since most tokens are allowed. The distribution is the same as with a mask.
      let id = few ? pickAmong(few, logits, pick) : pick(logits);
      let next = phase.take(id);
      if (!next && !few) {
        const masked = logits.slice();
        phase.mask(masked);
        id = pick(masked);
        next = phase.take(id);
      }
      if (!next) throw deadEnd(part);
      const closing = closeInTime(next.next, left);
      if (closing !== undefined) {
        isCut = true;
        id = closing;
        next = phase.take(closing)!;
      }
      if (next.writes === 'arguments' && taken.writes !== 'arguments') callStart = phase;
      taken = next;
      phase = next.next;
      return id;
    },
    get taken() {
      return taken;
    },
    starts: isFree ? calls?.starts : undefined,
    begin(written) {
      mayClose = true;
      phase = calls!.begun(written);
    },
    think() {
      phase = think();
    },
    answer() {
      mayClose = true;
      lean = createLeaning();
      phase = spaced(table, first());
    },
    restartCall() {
      phase = callStart;
      taken = { next: phase, writes: 'nothing' };
      way = null;
      isCut = false;
    },
    get isEnded() {
      return phase === ENDED;
    },
    get isCut() {
      return isCut;
    },
  };
}

function pickAmong(
  ids: readonly number[],
  logits: Float32Array,
  pick: (logits: Float32Array) => number,
): number {
  return ids[pick(Float32Array.from(ids, id => logits[id]!))]!;
}

function deadEnd(part: RefusedPart): EngineError {
  return new EngineError(
    'invalid_value',
    'The schema cannot be enforced: no value that fits it continues what was written.',
    part,
  );
}

/** Added to the logits of what ends it, at the last token. Nothing is added in the first half. */
const MOST = 40;

/** Returns the logits to choose from. */
type Lean = (logits: Float32Array, phase: Phase, left: number) => Float32Array;

/**
 * Makes answers of small models end: what may go on without a limit gets likelier to end the more of the remaining tokens it has
 * taken. A string counts from its start; lists, objects and calls from the start of the answer.
 */
function createLeaning(): Lean {
  let atStart: number | null = null;
  let atString: number | null = null;

  return (logits, phase, left) => {
    const { isString = false, ends = [] } = phase.goesOn?.() ?? {};
    atStart ??= left;
    atString = isString ? (atString ?? left) : null;
    const most = atString ?? atStart;
    const added = MOST * ((2 * (most - left)) / most - 1);
    if (ends.length === 0 || !(added > 0)) return logits;
    const leaning = logits.slice();
    for (const id of ends) leaning[id]! += added;
    return leaning;
  };
}

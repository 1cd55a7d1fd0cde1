// What an answer has to look like, token by token: a JSON value, calls of functions, or text in which calls may follow.
import { EngineError, type RefusedPart } from '../engine-error.js';
import { type Callable, type CallNotation, createCalls } from './calls.js';
import type { JsonSchema } from './grammar/index.js';
import { ENDED, either, json, type Phase, type Taken } from './phase.js';
import type { TokenTable } from './token-table.js';

export interface AnswerShape {
  /** The text is a JSON value. */
  json?: JsonSchema | undefined;
  calls?: CallShape | undefined;
}

interface CallShape {
  functions: readonly Callable[];
  /** Whether there has to be a call. */
  isRequired: boolean;
  parallel: boolean;
  notation: CallNotation;
}

export interface Structure {
  /** Chooses the next token among those that may come next. */
  choose(logits: Float32Array, pick: (logits: Float32Array) => number): number;
  /** What became of the token that was chosen last. */
  readonly taken: Taken;
  /** What starts a call in free text. */
  readonly start: string | undefined;
  /** Continues with a call, after its start and some text that came with it. */
  begin(rest: string): void;
  /** Whether nothing may follow. */
  readonly isEnded: boolean;
}

/** Throws an `EngineError` for a schema that cannot be enforced. */
export function createStructure(table: TokenTable, { json: schema, calls: asked }: AnswerShape): Structure {
  const part: RefusedPart = schema === undefined ? 'tools' : 'json';
  const calls = asked && createCalls(table, asked);
  const value = schema === undefined ? undefined : json(table, { schema, part });
  let phase = first();
  let taken: Taken = { next: phase, writes: 'nothing' };

  function first(): Phase {
    if (!calls) return value!;
    if (asked!.isRequired) return calls.whole;
    return value ? either(calls.whole, value) : free();
  }

  /** Any text, until a token is the start of a call. Where the start has several tokens, `begin` is called. */
  function free(): Phase {
    const start = Buffer.from(calls!.start);
    const phase: Phase = {
      take: id =>
        start.equals(table.bytesOf(id))
          ? { next: calls!.begun(''), writes: 'nothing' }
          : { next: phase, writes: 'text' },
      mask: () => {},
      few: () => null,
    };
    return phase;
  }

  return {
    choose(logits, pick) {
      const few = phase.few();
      // Most tokens fit, and then the others need not be looked at. The choice is distributed as if they had been.
      let id = few ? pickAmong(few, logits, pick) : pick(logits);
      let next = phase.take(id);
      if (!next && !few) {
        const masked = logits.slice();
        phase.mask(masked);
        id = pick(masked);
        next = phase.take(id);
      }
      if (!next) throw deadEnd(part);
      taken = next;
      phase = next.next;
      return id;
    },
    get taken() {
      return taken;
    },
    start: asked?.isRequired || value ? undefined : calls?.start,
    begin(rest) {
      phase = calls!.begun(rest);
    },
    get isEnded() {
      return phase === ENDED;
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

// Entry point of structured answers: what an answer has to look like, token by token. It is a JSON value, calls of
// functions, or text in which calls may follow.
import { EngineError, type RefusedPart } from '../engine-error.js';
import type { JsonSchema } from './grammar/index.js';
import { ENDED, either, json, literals, type Phase, type Taken } from './phase.js';
import type { TokenTable } from './token-table.js';

export type { JsonSchema } from './grammar/index.js';
export type { Call } from './phase.js';
export {
  createTokenTableInSlices,
  type StructureText,
  type TokenTable,
} from './token-table.js';

export interface AnswerShape {
  /** The text is a JSON value. */
  json?: JsonSchema | undefined;
  calls?: CallShape | undefined;
}

interface CallShape {
  functions: readonly Callable[];
  /** Whether there has to be a call. */
  isRequired: boolean;
  /** Whether one call may follow another. */
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

/**
 * How calls of functions are written. `tags`: an object with `name` and `arguments` between `<tool_call>` and `</tool_call>`. `bare`: an object with `name` and
 * `parameters`. @internal
 */
export type CallNotation = 'tags' | 'bare';

interface Callable {
  name: string;
  /** Of the arguments, which are an object. */
  schema: JsonSchema;
}

interface Notation {
  start: string;
  /** From the start to the arguments, in the ways that models write it. */
  openings(name: string): string[];
  close: string;
  /** What separates calls, where several may be written. */
  between: string | null;
}

const NOTATIONS: Readonly<Record<CallNotation, Notation>> = {
  tags: {
    start: '<tool_call>',
    openings: name => ['\n', ''].map(space => `${space}{"name": "${name}", "arguments": `),
    close: '}\n</tool_call>',
    between: '\n',
  },
  bare: {
    start: '{"name": "',
    openings: name => [`${name}", "parameters": `],
    close: '}',
    between: null,
  },
};

interface Calls {
  /** What a call starts with. */
  readonly start: string;
  /** A call and those that follow it. */
  readonly whole: Phase;
  /** The same after its start, and after text that came with it, unless no call goes on like that. */
  begun(rest: string): Phase;
}

/** Throws an `EngineError` for a schema that cannot be enforced. */
function createCalls(table: TokenTable, { notation, functions, parallel }: CallShape): Calls {
  const { start, openings, close, between } = NOTATIONS[notation];

  function open(index: number, before: string, { written = '', mayEnd = false } = {}): Phase {
    const all = functions.flatMap(({ name, schema }) =>
      openings(name).map(opening => ({
        text: before + opening,
        follow: () => json(table, { schema, part: 'tools', call: { index, name }, follow: () => end(index) }),
      })),
    );
    const fitting = all.filter(({ text }) => text.startsWith(written) && text !== written);
    const left = fitting.map(({ text, follow }) => ({ text: text.slice(written.length), follow }));
    const texts = left.length > 0 ? left : all;
    return literals(
      table,
      texts.map(({ text, follow }) => ({ text: Buffer.from(text), follow })),
      mayEnd,
    );
  }

  function end(index: number): Phase {
    const mayRepeat = parallel && between !== null;
    const next = () => (mayRepeat ? open(index + 1, between + start, { mayEnd: true }) : ENDED);
    return literals(table, [{ text: Buffer.from(close), follow: next }]);
  }

  // Every schema is read now, so that what cannot be enforced is refused before the first token.
  for (const { schema } of functions) json(table, { schema, part: 'tools' });
  return { start, whole: open(0, start), begun: written => open(0, '', { written }) };
}

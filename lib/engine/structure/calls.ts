// How calls of functions are written: between tags, or as a bare object.
import type { JsonSchema } from './grammar/index.js';
import { ENDED, json, literals, type Phase } from './phase.js';
import type { TokenTable } from './token-table.js';

/**
 * `tags`: an object with `name` and `arguments` between `<tool_call>` and `</tool_call>`. `bare`: an object with `name` and
 * `parameters`.
 */
export type CallNotation = 'tags' | 'bare';

export interface Callable {
  name: string;
  /** Of the arguments, which are an object. */
  schema: JsonSchema;
}

interface CallOptions {
  notation: CallNotation;
  functions: readonly Callable[];
  /** Whether one call may follow another. */
  parallel: boolean;
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
export function createCalls(table: TokenTable, { notation, functions, parallel }: CallOptions): Calls {
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

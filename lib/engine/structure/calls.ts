// How calls of functions are written, in each notation that models know.
import type { JsonSchema } from './grammar/index.js';
import { ENDED, json, type Literal, literals, type Phase } from './phase.js';
import type { TokenTable } from './token-table.js';

/**
 * `tags`: an object with `name` and `arguments` between `<tool_call>` and `</tool_call>`. `list`: such objects in a list after
 * `[TOOL_CALLS]`. `bare`: an object with `name` and `parameters`.
 */
export type CallNotation = 'tags' | 'list' | 'bare';

export interface CallShape {
  functions: readonly Callable[];
  /** Whether a call is required. */
  isRequired: boolean;
  /** Whether one call may follow another. */
  parallel: boolean;
  notation: CallNotation;
}

interface Callable {
  name: string;
  /** The schema of the arguments, which are an object. */
  schema: JsonSchema;
  /** Whether a schema that cannot be enforced in every respect is refused. Otherwise, what was written is checked. */
  isStrict: boolean;
}

interface Notation {
  /** What starts a call of one of these functions in free text, in the variants that models write. */
  starts(names: readonly string[]): readonly string[];
  /** Everything up to the arguments, in the variants that models write. */
  first(name: string): string[];
  /** The same for a further call. It comes after the end of the one before it, or instead in a list. */
  next(name: string): string[];
  end: string;
  isList?: boolean;
}

const opening = (name: string) => `{"name": "${name}", "arguments": `;

const BARE = [
  ['{"name": "', '", "parameters": '],
  ['{"name":"', '","parameters":'],
  ['{"type": "function", "name": "', '", "parameters": '],
  ['{"type":"function","name":"', '","parameters":'],
] as const;

const NOTATIONS: Readonly<Record<CallNotation, Notation>> = {
  tags: {
    starts: () => ['<tool_call>'],
    first: name => ['<tool_call>\n', '<tool_call>'].map(start => start + opening(name)),
    next: name => ['\n<tool_call>\n', '\n<tool_call>'].map(start => start + opening(name)),
    end: '}\n</tool_call>',
  },
  list: {
    starts: () => ['[TOOL_CALLS]'],
    first: name => ['[TOOL_CALLS] [', '[TOOL_CALLS]['].map(start => start + opening(name)),
    next: name => [`}, ${opening(name)}`],
    end: '}]',
    isList: true,
  },
  bare: {
    // Any object may have a name.
    starts: names => names.flatMap(name => BARE.map(([start]) => `${start}${name}"`)),
    first: name => BARE.map(([start, rest]) => start + name + rest),
    next: () => [],
    end: '}',
  },
};

interface Calls {
  /** The texts that start a call. */
  readonly starts: readonly string[];
  /** One or more calls. */
  readonly whole: Phase;
  /** The rest of the calls, of which the start was written, and any text that came with it (ignored if no call starts so). */
  begun(written: string): Phase;
}

/** Calls of one answer. */
const MOST_CALLS = 16;

/** Templates of lists give calls an ID, which models that were trained on them write. It is not read. */
const ID: JsonSchema = { type: 'string', pattern: '^[a-zA-Z0-9]{9}$' };

/** Throws an `EngineError` for a schema that cannot be enforced. */
export function createCalls(table: TokenTable, { notation, functions, parallel }: CallShape): Calls {
  const { starts: startsOf, first, next, end, isList = false } = NOTATIONS[notation];
  const starts = startsOf(functions.map(({ name }) => name));

  function openings(textsOf: (name: string) => string[], index: number, written = ''): Literal[] {
    return functions.flatMap(({ name, schema, isStrict }) =>
      textsOf(name)
        .filter(text => text.startsWith(written) && text !== written)
        .map(text => ({
          text: Buffer.from(text.slice(written.length)),
          follow: () =>
            json(table, {
              schema,
              part: 'tools',
              isLoose: !isStrict,
              call: { index, name },
              follow: () => afterArguments(index),
            }),
        })),
    );
  }

  function afterArguments(index: number, mayHaveId = isList): Phase {
    const others = parallel && index + 1 < MOST_CALLS ? openings(next, index + 1) : [];
    if (!isList) {
      const follow = () => (others.length > 0 ? literals(table, others, true) : ENDED);
      return literals(table, [{ text: Buffer.from(end), follow }]);
    }
    const follow = () =>
      json(table, { schema: ID, part: 'tools', isSyntax: true, follow: () => afterArguments(index, false) });
    const id = mayHaveId ? [{ text: Buffer.from(', "id": '), follow }] : [];
    return literals(table, [{ text: Buffer.from(end), follow: () => ENDED }, ...others, ...id]);
  }

  function begun(written: string): Phase {
    const fitting = openings(first, 0, written);
    const start = starts.find(text => written.startsWith(text));
    return literals(table, fitting.length > 0 ? fitting : openings(first, 0, start));
  }

  // Compiles all schemas now, so that unsupported ones are rejected before the first token.
  for (const { schema, isStrict } of functions) json(table, { schema, part: 'tools', isLoose: !isStrict });
  return { starts, whole: literals(table, openings(first, 0)), begun };
}

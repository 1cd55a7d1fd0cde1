// Limits on the lists of a request, checked before a schema looks at each entry: validating a hundred thousand entries
// would block every other caller.
import * as z from 'zod/mini';

type Refuse = (issue: z.core.$ZodRawIssue) => void;

/**
 * Messages, their parts and their tool calls together. Each takes at least one token, so more would not fit any
 * context.
 * @internal
 */
export const MOST_TURNS = 10_000;

export function boundConversation<S extends z.ZodMiniType>(messages: S): S {
  return glance(messages, (given, refuse) => {
    if (countTurns(given) <= MOST_TURNS) return;
    const message = `must have at most ${MOST_TURNS.toLocaleString('en')} messages, content parts and tool calls`;
    refuse({ code: 'custom', params: { code: 'context_length_exceeded' }, message, input: undefined });
  });
}

export function boundList<S extends z.ZodMiniType>(list: S, maximum: number): S {
  return glance(list, (given, refuse) => {
    if (given.length > maximum)
      refuse({ code: 'too_big', origin: 'array', maximum, inclusive: true, input: undefined });
  });
}

/** To callers it looks like the schema it guards: same input, same output. */
export function glance<S extends z.ZodMiniType>(
  schema: S,
  check: (given: unknown[], refuse: Refuse) => void,
): S {
  const look = z.transform((given: unknown, context) => {
    if (Array.isArray(given)) check(given, issue => context.issues.push(issue));
    return given;
  });
  return z.pipe(look, schema) as unknown as S;
}

function countTurns(messages: readonly unknown[]): number {
  let count = messages.length;
  for (const message of messages) {
    if (count > MOST_TURNS) break;
    const { content, tool_calls: calls } = (message ?? {}) as { content?: unknown; tool_calls?: unknown };
    count += lengthOf(content) + lengthOf(calls);
  }
  return count;
}

const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 0);

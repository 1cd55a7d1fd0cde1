// Field shapes shared by several resources, and list limits that are checked before a schema looks at each entry: validating
// a hundred thousand entries would block all other callers.
import * as z from 'zod/mini';
import { countCharacters, SLUG_MAX_LENGTH, SLUG_MIN_LENGTH, SLUG_PATTERN } from './vocabulary.js';

/** ISO 8601. Ours are in UTC, as `Date.prototype.toISOString` writes them; other clouds may send an offset. */
export const timestamp = z.iso.datetime({ offset: true });

/** Any UUID version. */
export const uuid = z.guid();

/** A nullable response field that other clouds may leave out. */
export function orNull<const S extends z.ZodMiniType>(schema: S) {
  return z._default(z.nullable(schema), null);
}

/** No control characters, so a name can be written to a terminal or a log as is. */
export const PRINTABLE = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

/** Text in a form that a refusal names. */
export const textLike = (pattern: RegExp, form: string) =>
  z.string().check(z.regex(pattern, `must be ${form}`));

export const NO_CONTROLS = 'must not contain control characters';

/** A name or label: trimmed, not empty, at most `max` characters, no control characters. */
export function printable(max: number) {
  return z.string().check(z.trim(), z.minLength(1), maxCharacters(max), z.regex(PRINTABLE, NO_CONTROLS));
}

/** Like `z.maxLength`, which counts UTF-16 units, but counts characters, as JSON Schema's `maxLength` does. */
function maxCharacters(maximum: number) {
  const check = z.check<string>(({ value: input, issues }) => {
    if (countCharacters(input) > maximum)
      issues.push({ code: 'too_big', origin: 'string', maximum, inclusive: true, input });
  });
  check._zod.onattach.push(({ _zod: { bag } }) => {
    bag.maximum = maximum;
  });
  return check;
}

/** Response text that other clouds may leave out. */
export const orEmpty = z._default(z.string(), '');

export const positiveInteger = z.int().check(z.gte(1));

export const step = z.int().check(z.gte(0));

/** A name in code. */
export const identifier = textLike(/^[A-Za-z_]\w{0,63}$/, 'a name of letters, digits and underscores');

export const sha256 = textLike(/^[0-9a-f]{64}$/, 'a SHA-256 digest of 64 hexadecimal digits');

/** The previous page's `nextCursor`. */
export const pageCursor = z.optional(textLike(/^\d{1,15}$/, 'the `nextCursor` of an earlier page'));

/** A page of a list. `limit`: up to 100; 50 if omitted. */
export const pageQuery = {
  limit: z.optional(textLike(/^(?:[1-9]\d?|100)$/, 'a whole number from 1 to 100')),
  cursor: pageCursor,
};

/** The query of an event stream: everything after this event number. `Last-Event-ID` takes precedence. */
export const eventCursor = { after: z.optional(textLike(/^\d{1,15}$/, 'the number of an event')) };

const SLUG_FORM =
  'must contain only lowercase letters, digits and hyphens, and start and end with a letter or digit';

export const slug = z
  .string()
  .check(z.minLength(SLUG_MIN_LENGTH), z.maxLength(SLUG_MAX_LENGTH), z.regex(SLUG_PATTERN, SLUG_FORM));

type Refuse = (issue: z.core.$ZodRawIssue) => void;

/**
 * The total of messages, their parts and their tool calls. Each takes at least one token, so more would not fit any context.
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

/** Callers see the schema it guards: same input, same output. */
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

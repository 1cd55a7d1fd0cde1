// Field shapes shared by several resources.
import * as z from 'zod/mini';
import { countCharacters } from './characters.js';

/** ISO 8601. Ours are in UTC, as `Date.prototype.toISOString` writes them; other clouds may send an offset. */
export const timestamp = z.iso.datetime({ offset: true });

/** Any UUID version. */
export const uuid = z.guid();

/** A nullable response field that other clouds may leave out. */
export function orNull<const S extends z.ZodMiniType>(schema: S) {
  return z._default(z.nullable(schema), null);
}

/** No control characters, so a name can be written to a terminal or a log as is. */
const PRINTABLE = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

/** A name or label: trimmed, not empty, at most `max` characters, no control characters. */
export function printable(max: number) {
  return z.string().check(z.trim(), z.minLength(1), maxCharacters(max), z.regex(PRINTABLE));
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

/** The query of an event stream: everything after this event number. `Last-Event-ID` takes precedence. */
export const eventCursor = { after: z.optional(z.string().check(z.regex(/^\d{1,15}$/))) };

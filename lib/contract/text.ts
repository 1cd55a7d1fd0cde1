// Field shapes that several resources share.
import * as z from 'zod/mini';
import { countCharacters } from './characters.js';

/** ISO 8601. Ours are in UTC, as `Date.prototype.toISOString` writes them; another cloud's may carry an offset. */
export const timestamp = z.iso.datetime({ offset: true });

/** Any UUID, whatever its version. */
export const uuid = z.guid();

/** A field of an answer that is null when there is nothing to say, and may then be left out by another cloud. */
export function orNull<const S extends z.ZodMiniType>(schema: S) {
  return z._default(z.nullable(schema), null);
}

/** No control characters, so that a name can be drawn in a terminal and written to a log as it is. */
const PRINTABLE = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

/** A name or label: trimmed, not empty, `max` characters at most, without control characters. */
export function printable(max: number) {
  return z.string().check(z.trim(), z.minLength(1), maxCharacters(max), z.regex(PRINTABLE));
}

/** As `z.maxLength`, which counts UTF-16 units; JSON Schema's `maxLength` counts characters, too. */
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

/** A text of an answer that another cloud may leave out. */
export const orEmpty = z._default(z.string(), '');

export const positiveInteger = z.int().check(z.gte(1));

export const step = z.int().check(z.gte(0));

/** The query of an event stream: everything after this sequence number. `Last-Event-ID` wins over it. */
export const eventCursor = { after: z.optional(z.string().check(z.regex(/^\d{1,15}$/))) };

// Lists in OpenAI's format, and what their queries have in common.
import * as z from 'zod/mini';

/** A page of a list. The next one starts after the last ID. */
export function page<const S extends z.ZodMiniType>(item: S) {
  return z.object({
    object: z.literal('list'),
    data: z.array(item),
    first_id: z.nullable(z.string()),
    last_id: z.nullable(z.string()),
    has_more: z.boolean(),
  });
}

export function pageLimit(most: number) {
  return z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(most)));
}

/** The ID that the page starts after. */
export const pageCursor = z.optional(z.string().check(z.minLength(1)));

export const pageOrder = z.optional(z.enum(['asc', 'desc']));

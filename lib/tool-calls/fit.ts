// Whether a value fits a JSON schema.
import { fromJSONSchema, type ZodType } from 'zod';

/** Null without a schema, or if it has something that cannot be checked. */
export function createFit(schema: unknown): ((value: unknown) => boolean) | null {
  if (schema === undefined || schema === null) return null;
  let checked: ZodType;
  try {
    checked = fromJSONSchema(schema as Parameters<typeof fromJSONSchema>[0]);
  } catch {
    return null;
  }
  return value => value !== undefined && checked.safeParse(value).success;
}

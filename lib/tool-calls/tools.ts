// The functions that a request or a row offers, by name, and whether values fit their schemas.

import { fromJSONSchema, type ZodType } from 'zod';
import type { Call } from './calls.js';

export interface Tools {
  has(name: string): boolean;
  /** Whether a call's arguments are an object that its function takes. What cannot be checked fits. */
  fits(call: Call): boolean;
}

/** In the form of chat completions, or as MCP servers and Anthropic's API name tools. */
export function openTools(tools: unknown): Tools {
  const fits = new Map<string, ReturnType<typeof createFit>>();
  for (const tool of Array.isArray(tools) ? tools : []) {
    const { function: wrapped, ...bare } = (tool ?? {}) as { function?: unknown };
    const { name, parameters, input_schema, inputSchema } = (wrapped ?? bare) as Record<string, unknown>;
    if (typeof name === 'string') fits.set(name, createFit(parameters ?? input_schema ?? inputSchema));
  }
  return {
    has: name => fits.has(name),
    fits: ({ name, arguments: given }) => isObject(given) && (fits.get(name)?.(given) ?? true),
  };
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

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

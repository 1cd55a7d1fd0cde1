// The functions that a request or a row offers, by name.
import type { Call } from './calls.js';
import { createFit } from './fit.js';

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

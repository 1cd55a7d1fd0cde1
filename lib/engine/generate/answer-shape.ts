// The structure of an answer, from the tools and the schema that a request has.
import type { AnswerShape, CallNotation, JsonSchema } from '../structure/index.js';

/** A function that the model may call, as templates expect it. */
export interface Tool {
  type: 'function';
  function: {
    name: string;
    description?: string | undefined;
    parameters?: { [keyword: string]: unknown } | undefined;
    /** Whether parameters that cannot be enforced are refused. */
    strict?: boolean | null | undefined;
  };
}

export interface ToolUse {
  all: readonly Tool[];
  /** Whether the model must call a function. */
  isRequired: boolean;
  /** Those that it may call. Defaults to all. */
  names?: readonly string[] | undefined;
  /** Whether several may be called at once. */
  parallel: boolean;
}

interface Wanted {
  tools?: ToolUse | undefined;
  /** The answer is a JSON value with this schema. */
  json?: JsonSchema | undefined;
  /** The answer is one of these texts. */
  choices?: readonly string[] | undefined;
}

/** Undefined for any text. */
export function toShape(notation: CallNotation, { tools, json, choices }: Wanted): AnswerShape | undefined {
  if (!tools) return json === undefined && !choices ? undefined : { json, choices };
  const { all, isRequired, names, parallel } = tools;
  const functions = all
    .map(tool => tool.function)
    .filter(({ name }) => names?.includes(name) ?? true)
    .map(({ name, parameters = NO_PARAMETERS, strict }) => ({
      name,
      schema: { type: 'object', ...parameters },
      isStrict: strict === true,
    }));
  return { json, choices, calls: { functions, isRequired, parallel, notation } };
}

const NO_PARAMETERS = { properties: {}, additionalProperties: false };

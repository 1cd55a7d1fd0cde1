// The functions that a request or a row offers, by name, whether values fit their schemas, and what is wrong with the calls of a
// conversation.

import { type core, fromJSONSchema, type ZodType } from 'zod';
import { matchesPattern } from '../task/client/fits.js';
import { type Call, readCalls } from './calls.js';

export interface Tools {
  has(name: string): boolean;
  /** Whether a call's arguments are an object that its function takes. What cannot be checked fits. */
  fits(call: Call): boolean;
  /** Which argument does not fit, and why; null if the call fits. */
  misfit(call: Call): string | null;
}

/**
 * As requests offer tools to a model, whether it is given in that form or as MCP servers and Anthropic's API name tools: the same
 * fields in the same order, so that models are trained with the prompts that they are served with.
 */
export function toTool(tool: unknown): unknown {
  const { function: wrapped, ...bare } = Object(tool);
  const { name, description, parameters, strict, input_schema, inputSchema } = Object(wrapped ?? bare);
  if (typeof name !== 'string') return tool;
  const schema = parameters ?? input_schema ?? inputSchema;
  return { type: 'function', function: dropNulls({ name, description, parameters: schema, strict }) };
}

const dropNulls = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));

export function openTools(tools: unknown): Tools {
  const checks = new Map<string, Check | null>();
  for (const tool of Array.isArray(tools) ? tools : []) {
    const { name, parameters } = Object(Object(toTool(tool)).function) as Record<string, unknown>;
    if (typeof name === 'string') checks.set(name, createCheck(parameters));
  }
  const misfit = ({ name, arguments: given }: Call) =>
    isObject(given) ? (checks.get(name)?.(given) ?? null) : 'its arguments are not a JSON object';
  return {
    has: name => checks.has(name),
    fits: call => misfit(call) === null,
    misfit,
  };
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null without a schema, or if it has something that cannot be checked. */
export function createFit(schema: unknown): ((value: unknown) => boolean) | null {
  const check = createCheck(schema);
  return check && (value => value !== undefined && check(value) === null);
}

/** What is wrong with a value, or null. */
type Check = (value: unknown) => string | null;

function createCheck(schema: unknown): Check | null {
  if (schema === undefined || schema === null) return null;
  let checked: ZodType;
  try {
    checked = fromJSONSchema(schema as Parameters<typeof fromJSONSchema>[0]);
  } catch {
    return null;
  }
  return value => {
    const issue = checked.safeParse(value, { reportInput: true }).error?.issues.find(isMisfit);
    if (!issue) return null;
    if (issue.path.length === 0) return issue.message;
    const name = `\`${issue.path.join('.')}\``;
    return issue.input === undefined ? `${name} is missing` : `${name}: ${issue.message}`;
  };
}

/** False if only zod refuses it: it reads patterns without the flag u, and takes only safe integers. */
function isMisfit(issue: core.$ZodIssue): boolean {
  const { input } = issue;
  // Only what zod says of unsafe integers has a note.
  if ('note' in issue) return false;
  switch (issue.code) {
    case 'invalid_union':
      return issue.errors.every(issues => issues.some(isMisfit));
    case 'invalid_key':
      return issue.issues.some(inner => isMisfit({ ...inner, input } as core.$ZodIssue));
    case 'invalid_format':
      return issue.format !== 'regex' || !matchesPattern(issue.pattern!.slice(1, -1), String(input));
    default:
      return true;
  }
}

/**
 * `unknown_function`: one that the conversation's tools do not have. `wrong_arguments`: they do not fit its schema.
 * `unmatched_result`: a result without its call, or a call without its result though the conversation goes on.
 */
export type CallFault = 'unknown_function' | 'wrong_arguments' | 'unmatched_result';

interface Message {
  readonly role: string;
  readonly tool_calls?: unknown;
  readonly tool_call_id?: unknown;
}

export function findCallFaults(messages: readonly Message[], given: unknown): CallFault[] {
  const calls = messages.flatMap(readCalls);
  const tools = calls.length > 0 ? openKnown(given) : null;
  const faults: CallFault[] = [];
  if (calls.some(({ name }) => !tools!.has(name))) faults.push('unknown_function');
  if (calls.some(call => tools!.has(call.name) && !tools!.fits(call))) faults.push('wrong_arguments');
  if (!areAnswered(messages)) faults.push('unmatched_result');
  return faults;
}

/** Of the first call whose arguments do not fit: its function, and which argument; null if all fit. */
export function describeMisfit(messages: readonly Message[], given: unknown): string | null {
  const tools = openKnown(given);
  for (const call of messages.flatMap(readCalls)) {
    const misfit = tools.has(call.name) ? tools.misfit(call) : null;
    if (misfit !== null) return `${call.name}, ${misfit}`;
  }
  return null;
}

/** Results follow the message that calls, in any order. Without ids, there is one for each call. */
function areAnswered(messages: readonly Message[]): boolean {
  let open: Call[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      const { tool_call_id: id } = message;
      const at = open.findIndex(call => id == null || call.id === undefined || call.id === id);
      if (at === -1) return false;
      open.splice(at, 1);
    } else {
      if (open.length > 0) return false;
      open = readCalls(message);
    }
  }
  return true;
}

const known = new Map<string, Tools>();
const MOST_KNOWN = 100;

/** The rows of a data set mostly have the same tools. */
function openKnown(given: unknown): Tools {
  const key = JSON.stringify(given) ?? '';
  const tools = known.get(key) ?? openTools(given);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, tools);
  return tools;
}

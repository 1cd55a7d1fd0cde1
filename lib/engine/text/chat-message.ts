// Chat messages as requests and data sets contain them, and as chat templates expect them.
import { TextError } from './errors.js';
import { readJson } from './jinja/index.js';
import { isObject } from './text-files.js';

interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** Other fields reach the template only if `TEMPLATE_FIELDS` lists them. */
export interface ChatMessage {
  readonly role: string;
  readonly content?: string | readonly TextPart[] | null;
  readonly [field: string]: unknown;
}

export interface TemplateMessage {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly unknown[];
  readonly [field: string]: unknown;
}

/** The fields of the chat format besides role and content. Other fields are ignored, except for thoughts. */
const TEMPLATE_FIELDS = ['name', 'tool_call_id'];

/**
 * Joins text parts, makes absent content empty, and renames `developer` to `system`. Drops null fields and empty lists
 * of calls: templates test whether a field exists, but tables have every column in every row.
 */
export function toTemplateMessages(messages: readonly ChatMessage[]): TemplateMessage[] {
  return messages.map((message, index) => {
    const at = `messages[${index}]`;
    if (!isObject(message)) throw new TextError(`${at} is not an object.`);
    const { role, content, tool_calls: calls } = message;
    if (typeof role !== 'string' || role === '') throw new TextError(`${at} has no role.`);
    return {
      ...Object.fromEntries(
        TEMPLATE_FIELDS.flatMap(name => (message[name] == null ? [] : [[name, message[name]]])),
      ),
      ...toThought(message, at),
      role: role === 'developer' ? 'system' : role,
      content: joinContent(content, `${at}.content`),
      ...(Array.isArray(calls) &&
        calls.length > 0 && {
          tool_calls: calls.map((call, i) => parseArguments(call, `${at}.tool_calls[${i}]`)),
        }),
    };
  });
}

/** What was thought before the message, under the names that templates have for it. */
function toThought({ reasoning_content, thinking }: ChatMessage, at: string) {
  const thought = reasoning_content ?? (typeof thinking === 'string' ? thinking : null);
  if (thought === null) return {};
  if (typeof thought !== 'string') throw new TextError(`${at}.reasoning_content is not a string.`);
  return { reasoning_content: thought, thinking: thought };
}

const SHORT_ID = /^[a-zA-Z0-9]{9}$/;

/**
 * Mistral's templates refuse IDs of calls that have not exactly 9 letters and digits, and calls without one. Others are counted, so
 * that a conversation keeps its IDs as it grows.
 */
export function shortenIds(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const known = new Map<unknown, string>();
  const shorten = (id: unknown) => {
    if (typeof id === 'string' && SHORT_ID.test(id)) return id;
    const short = known.get(id) ?? `call${String(known.size).padStart(5, '0')}`;
    known.set(id, short);
    return short;
  };
  return messages.map(({ tool_calls: calls, ...message }) => ({
    ...message,
    ...(calls && {
      tool_calls: calls.map(call => (isObject(call) ? { ...call, id: shorten(call.id) } : call)),
    }),
    ...(message.role === 'tool' && { tool_call_id: shorten(message.tool_call_id) }),
  }));
}

/** Whether the message has a text, a call or a thought. */
export function saysSomething({ content, tool_calls, reasoning_content }: TemplateMessage): boolean {
  return Boolean(content.trim() || tool_calls || reasoning_content);
}

function joinContent(content: unknown, at: string): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw new TextError(`${at} is neither a string nor a list of text parts.`);
  return content
    .map((part, index) => {
      if (isObject(part) && part.type === 'text' && typeof part.text === 'string') return part.text;
      throw new TextError(`${at}[${index}] is not a text part; only text is supported.`);
    })
    .join('');
}

/** Chat requests contain a call's arguments as JSON text, but templates serialize them themselves. */
function parseArguments(call: unknown, at: string): unknown {
  if (!isObject(call) || !isObject(call.function)) return call;
  const given = call.function.arguments ?? '';
  if (typeof given !== 'string') return call;
  // Nothing stands for no arguments.
  const parsed = parseObjectText(given.trim() === '' ? '{}' : given, `${at}.function.arguments`);
  return parsed ? { ...call, function: { ...call.function, arguments: parsed } } : call;
}

/** Its numbers are kept as they are written, and its keys in their order. */
function parseObjectText(text: string, at: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // arguments that are not JSON are rendered as they are
  }
  if (!isObject(value)) return undefined;
  requireShallow(value, at);
  return readJson(text);
}

/** The same limit as for requests. */
const DEEPEST = 100;

/**
 * Throws a `TextError` that names the value. Templates and JSON writers recurse, so what is nested thousands of levels deep
 * would overflow the stack, and JSON text inside of a text gets past the limit of requests.
 */
export function requireShallow(value: unknown, at: string): void {
  let level = [value].filter(isNested);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > DEEPEST) throw new TextError(`${at} is nested deeper than ${DEEPEST} levels`);
    level = level.flatMap(parent => Object.values(parent).filter(isNested));
  }
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

// Conversations as they are given, and as chat templates expect them.
import { TextError } from './errors.js';
import { isObject, type Json } from './text-files.js';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** Of further fields those reach the template that it may know; see `TEMPLATE_FIELDS`. */
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

/** What the chat format lists besides role and content, and what reasoning models add. Other fields are ignored. */
const TEMPLATE_FIELDS = ['name', 'tool_call_id', 'reasoning_content'];

/**
 * Text parts are joined, absent content is empty, `developer` is another word for `system`. Fields that are null, or
 * an empty list of calls, are dropped: templates ask whether a field is there, and tables have a column in every row.
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
      role: role === 'developer' ? 'system' : role,
      content: joinContent(content, `${at}.content`),
      ...(Array.isArray(calls) && calls.length > 0 && { tool_calls: calls.map(parseArguments) }),
    };
  });
}

function joinContent(content: unknown, at: string): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw new TextError(`${at} is neither a text nor a list of text parts.`);
  return content
    .map((part, index) => {
      if (isObject(part) && part.type === 'text' && typeof part.text === 'string') return part.text;
      throw new TextError(`${at}[${index}] is no text part; only text can be read.`);
    })
    .join('');
}

/** Chat requests carry a call's arguments as JSON text; templates write them as JSON themselves. */
function parseArguments(call: unknown): unknown {
  if (!isObject(call) || !isObject(call.function)) return call;
  const given = call.function.arguments;
  const parsed = typeof given === 'string' ? parseObjectText(given) : undefined;
  return parsed ? { ...call, function: { ...call.function, arguments: parsed } } : call;
}

function parseObjectText(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // a call that is no JSON is written as the text it is
  }
}

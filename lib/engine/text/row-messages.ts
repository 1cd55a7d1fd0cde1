// Validates the messages of a row by the rules of chat requests, so that a model is trained on what it can be asked.
import type { ChatMessage } from './chat-message.js';
import { TextError } from './errors.js';
import { isObject, type Json } from './text-files.js';

export interface RowMessages {
  readonly messages: readonly ChatMessage[];
  /** The indices of messages with `weight: 0`, which are part of the context but not learned. */
  readonly muted: readonly number[];
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];

/** The names of these roles in other formats. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['customer', 'user'],
  ['prompter', 'user'],
  ['ai', 'assistant'],
  ['gpt', 'assistant'],
  ['chatgpt', 'assistant'],
  ['bot', 'assistant'],
  ['chatbot', 'assistant'],
  ['model', 'assistant'],
  ['function', 'tool'],
  ['observation', 'tool'],
  ['ipython', 'tool'],
]);

/** `at` is the path of the messages in the row, for errors. */
export function readRowMessages(value: unknown, at: string): RowMessages {
  if (!Array.isArray(value)) throw new TextError(`${at} is not a list`);
  if (value.length === 0) throw new TextError(`${at} is empty`);
  const muted: number[] = [];
  const messages = value.map((message, index) => {
    const { weight, ...rest } = readMessage(message, `${at}[${index}]`);
    if (weight === 0) muted.push(index);
    return rest;
  });
  return { messages, muted };
}

function readMessage(message: unknown, at: string): ChatMessage {
  if (!isObject(message)) throw new TextError(`${at} is not an object`);
  const role = readRole(message, at);
  checkContent(message, role, at);
  checkWeight(message, role, at);
  return { ...message, role };
}

function readRole({ role, from }: Json, at: string): string {
  if (typeof role !== 'string') {
    const hint = typeof from === 'string' ? '; write `from` as `role`, and `value` as `content`' : '';
    throw new TextError(`${at} has no role${hint}`);
  }
  if (ROLES.includes(role)) return role;
  const known = role.toLowerCase();
  const instead = ROLES.includes(known) ? known : OTHER_NAMES.get(known);
  const advice = instead ? `"${instead}"` : ROLES.map(name => `"${name}"`).join(', ');
  throw new TextError(`${at}.role is ${JSON.stringify(role.slice(0, 40))}; use ${advice}`);
}

function checkContent({ content, tool_calls: calls }: Json, role: string, at: string): void {
  if (Array.isArray(content) && content.length === 0) throw new TextError(`${at}.content is an empty list`);
  if (content !== undefined && content !== null) return;
  if (role !== 'assistant') throw new TextError(`${at} has the role ${role} and no content`);
  if (!Array.isArray(calls) || calls.length === 0)
    throw new TextError(`${at} has no content; only an assistant message with tool_calls may omit it`);
}

function checkWeight({ weight }: Json, role: string, at: string): void {
  if (weight === undefined || weight === null) return;
  if (role !== 'assistant')
    throw new TextError(`${at} has the role ${role} and a weight; only assistant messages have one`);
  if (weight !== 0 && weight !== 1)
    throw new TextError(`${at}.weight is ${JSON.stringify(weight)}; it must be 0 (not learned) or 1`);
}

// What a row of a data set contains, by its keys, and its messages by the rules of chat requests.

import type { LearningMethod } from '../../contract/index.js';
import { toTool } from '../../tool-calls/index.js';
import { type ChatMessage, requireShallow } from './chat-message.js';
import { TextError } from './errors.js';
import { findPrompt } from './preference-rows.js';
import { describeFormats, formatOf } from './row-formats.js';
import { isObject, type Json } from './text-files.js';

/** A single text or conversation to learn from. */
export type TextShape =
  | {
      readonly kind: 'chat';
      readonly messages: readonly ChatMessage[];
      /** The first message that may be learned; earlier ones belong to the prompt. */
      readonly first: number;
      /** The indices of messages that are never learned. */
      readonly muted: readonly number[];
      readonly tools: readonly unknown[] | undefined;
    }
  | { readonly kind: 'completion'; readonly prompt: string; readonly completion: string }
  | { readonly kind: 'text'; readonly text: string };

/** Two answers to the same prompt, each with it. */
interface PairShape {
  readonly kind: 'pair';
  readonly chosen: TextShape;
  readonly rejected: TextShape;
}

/** What is asked, without an answer. */
export interface PromptShape {
  readonly kind: 'prompt';
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly unknown[] | undefined;
}

/** Prompt and completion become a chat if there is a chat template, or if they are lists of messages. */
export function readRow(
  given: unknown,
  hasTemplate: boolean,
  method: LearningMethod,
): TextShape | PairShape | PromptShape {
  if (!isObject(given)) throw new TextError('it is not a JSON object');
  const format = formatOf(Object.keys(given), method);
  if (!format) throw new TextError(describeMisfit(Object.keys(given), method));
  const row = format.convert?.(given) ?? given;
  for (const [key, value] of Object.entries(row)) requireShallow(value, key);
  if (format.method === 'dpo') return readPair(row, hasTemplate);
  if (format.method === 'grpo') return readPrompt(row);
  if ('messages' in row) {
    return { kind: 'chat', ...readRowMessages(row.messages, 'messages'), first: 0, tools: readTools(row) };
  }
  if ('prompt' in row && 'completion' in row) return readCompletion(row, 'completion', hasTemplate);
  return { kind: 'text', text: readText(row.text) };
}

/** In an error. */
const MOST_SHOWN = 20;

/** Rows for the other method are a common mistake. */
function describeMisfit(keys: readonly string[], method: LearningMethod): string {
  const found =
    keys.length > MOST_SHOWN ? `${keys.slice(0, MOST_SHOWN).join(', ')}, …` : keys.join(', ') || 'none';
  if (!formatOf(keys)) return `it needs the column ${describeFormats(method)}; its keys: ${found}`;
  if (method === 'sft')
    return (
      'it has a preferred and a rejected answer; train with method: { type: "dpo" } to learn from both, ' +
      'or name the columns to learn as they are, such as columns: { prompt: "prompt", completion: "chosen" }'
    );
  if (method === 'grpo')
    return (
      `the method grpo answers prompts, so it needs the column ${describeFormats('grpo')}, whose last message is a user's; ` +
      `its keys: ${found}`
    );
  return (
    `the method dpo compares two answers, so it needs the column ${describeFormats('dpo')}; its keys: ${found}; ` +
    'remove `method` to learn answers as they are'
  );
}

/** Answers of the assistant before the last message belong to what is asked. */
function readPrompt(row: Json): PromptShape {
  const { messages } = readRowMessages(row.messages, 'messages');
  const { role } = messages.at(-1)!;
  if (role !== 'user' && role !== 'tool')
    throw new TextError(
      `its last message is of the role ${role}, but the method grpo answers prompts; end it with a user's message, and put ` +
        'what the answer should be into another column for the reward',
    );
  return { kind: 'prompt', messages, tools: readTools(row) };
}

function readPair(row: Json, hasTemplate: boolean): PairShape {
  const { prompt, isPlain, ...answers } = findPrompt(row);
  const read = (side: 'chosen' | 'rejected') =>
    readCompletion({ prompt, [side]: answers[side], tools: row.tools }, side, hasTemplate && !isPlain);
  return { kind: 'pair', chosen: read('chosen'), rejected: read('rejected') };
}

function readCompletion(row: Json, key: string, hasTemplate: boolean): TextShape {
  const { prompt, [key]: completion } = row;
  if (typeof prompt === 'string' && typeof completion === 'string' && !hasTemplate) {
    return { kind: 'completion', prompt, completion };
  }
  const before = toMessages(prompt, 'prompt', 'user');
  const after = toMessages(completion, key, 'assistant');
  const first = before.messages.length;
  return {
    kind: 'chat',
    messages: [...before.messages, ...after.messages],
    first,
    muted: [...before.muted, ...after.muted.map(index => first + index)],
    tools: readTools(row),
  };
}

function toMessages(value: unknown, key: string, role: string): RowMessages {
  if (typeof value === 'string') return { messages: [{ role, content: value }], muted: [] };
  if (!Array.isArray(value)) throw new TextError(`${key} is neither a string nor a list of messages`);
  return readRowMessages(value, key);
}

function readText(value: unknown): string {
  if (typeof value !== 'string') throw new TextError('text is not a string');
  return value;
}

function readTools({ tools }: Json): readonly unknown[] | undefined {
  if (tools === undefined || tools === null) return undefined;
  if (!Array.isArray(tools)) throw new TextError('tools is not a list');
  return tools.length > 0 ? tools.map(toTool) : undefined;
}

interface RowMessages {
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

/**
 * Validates messages by the rules of chat requests, so that a model is trained on what it can be asked. `at` is their path
 * in the row, for errors.
 */
function readRowMessages(value: unknown, at: string): RowMessages {
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
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return { ...message, role };
  return { ...message, role, tool_calls: calls.map((call, i) => readCall(call, `${at}.tool_calls[${i}]`)) };
}

/** Some data sets have the name and the arguments themselves in place of a function with both. */
function readCall(call: unknown, at: string): Json {
  if (!isObject(call)) throw new TextError(`${at} is not an object`);
  const { name, arguments: given, ...rest } = call;
  const called = isObject(call.function) ? call.function : { name, arguments: given };
  if (typeof called.name !== 'string' || called.name.trim() === '')
    throw new TextError(`${at} has no function name`);
  return called === call.function ? call : { ...rest, type: 'function', function: called };
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

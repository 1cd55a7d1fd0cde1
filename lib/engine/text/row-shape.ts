// Determines what a row of a data set contains, by its keys.
import type { ChatMessage } from './chat-message.js';
import { TextError } from './errors.js';
import { describeFormats, formatOf } from './row-formats.js';
import { type RowMessages, readRowMessages } from './row-messages.js';
import { isObject, type Json } from './text-files.js';

export type RowShape =
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

/** Prompt and completion become a chat if there is a chat template, or if they are lists of messages. */
export function readRow(given: unknown, hasTemplate: boolean): RowShape {
  if (!isObject(given)) throw new TextError('it is not a JSON object');
  const format = formatOf(Object.keys(given));
  if (!format) {
    const keys = Object.keys(given).join(', ') || 'none';
    throw new TextError(`it needs the column ${describeFormats()}; its keys: ${keys}`);
  }
  const row = format.convert?.(given) ?? given;
  if ('messages' in row) {
    return { kind: 'chat', ...readRowMessages(row.messages, 'messages'), first: 0, tools: readTools(row) };
  }
  if ('prompt' in row && 'completion' in row) return readCompletion(row, hasTemplate);
  return { kind: 'text', text: readText(row.text, 'text') };
}

function readCompletion(row: Json, hasTemplate: boolean): RowShape {
  const { prompt, completion } = row;
  if (typeof prompt === 'string' && typeof completion === 'string' && !hasTemplate) {
    return { kind: 'completion', prompt, completion };
  }
  const before = toMessages(prompt, 'prompt', 'user');
  const after = toMessages(completion, 'completion', 'assistant');
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
  return typeof value === 'string'
    ? { messages: [{ role, content: value }], muted: [] }
    : readRowMessages(value, key);
}

function readText(value: unknown, key: string): string {
  if (typeof value !== 'string') throw new TextError(`${key} is not a string`);
  return value;
}

function readTools({ tools }: Json): readonly unknown[] | undefined {
  if (tools === undefined || tools === null) return undefined;
  if (!Array.isArray(tools)) throw new TextError('tools is not a list');
  return tools.length > 0 ? tools : undefined;
}

// Determines what a row of a data set contains, by its keys.
import type { ChatMessage } from './chat-message.js';
import { requireShallow } from './depth.js';
import { TextError } from './errors.js';
import { findPrompt } from './preference-rows.js';
import { describeFormats, formatOf, type LearningMethod } from './row-formats.js';
import { type RowMessages, readRowMessages } from './row-messages.js';
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

/** Prompt and completion become a chat if there is a chat template, or if they are lists of messages. */
export function readRow(given: unknown, hasTemplate: boolean, method: LearningMethod): TextShape | PairShape {
  if (!isObject(given)) throw new TextError('it is not a JSON object');
  const format = formatOf(Object.keys(given), method);
  if (!format) throw new TextError(describeMisfit(Object.keys(given), method));
  const row = format.convert?.(given) ?? given;
  for (const [key, value] of Object.entries(row)) requireShallow(value, key);
  if (format.method === 'dpo') return readPair(row, hasTemplate);
  if ('messages' in row) {
    return { kind: 'chat', ...readRowMessages(row.messages, 'messages'), first: 0, tools: readTools(row) };
  }
  if ('prompt' in row && 'completion' in row) return readCompletion(row, 'completion', hasTemplate);
  return { kind: 'text', text: readText(row.text, 'text') };
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
  return (
    `the method dpo compares two answers, so it needs the column ${describeFormats('dpo')}; its keys: ${found}; ` +
    'remove `method` to learn answers as they are'
  );
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

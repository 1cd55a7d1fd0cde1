// A short excerpt of a row: what it asks and what it answers. Knows the usual fields; of any other row it shows the JSON.
import { TextError } from '../text/errors.js';
import { findPrompt } from '../text/preference-rows.js';
import { convertRow, formatOf } from '../text/row-formats.js';

interface Excerpt {
  /** Empty if the row only has a text. */
  prompt: string;
  answer: string;
}

/** The maximum length, in UTF-16 units. */
const MOST = 240;
/** Half of a surrogate pair that was cut. */
const HALF = /[\uD800-\uDBFF]$/;

export function excerptOf(given: Readonly<Record<string, unknown>>): Excerpt {
  const row = convert(given);
  const { messages, prompt, completion, text, chosen, rejected } = row;
  if (chosen !== undefined && rejected !== undefined)
    return { prompt: shorten(lastText(prompt)), answer: compare(lastText(chosen), lastText(rejected)) };
  if (Array.isArray(messages)) return ofMessages(messages);
  if (completion !== undefined)
    return { prompt: shorten(lastText(prompt)), answer: shorten(lastText(completion)) };
  if (typeof text === 'string') return { prompt: '', answer: shorten(text) };
  return { prompt: '', answer: shorten(JSON.stringify(row)) };
}

function compare(chosen: string, rejected: string): string {
  return `${shorten(chosen, MOST / 2)} (rejected: ${shorten(rejected, MOST / 2)})`;
}

/** Rows that cannot be converted are shown as JSON. */
function convert(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  try {
    const found = convertRow(row) ?? row;
    return formatOf(Object.keys(row))?.method === 'dpo' ? { ...findPrompt(found) } : found;
  } catch (error) {
    if (error instanceof TextError) return row;
    throw error;
  }
}

/** The last turn, and what it answers. */
function ofMessages(messages: readonly unknown[]): Excerpt {
  const at = messages.findLastIndex(message => roleOf(message) === 'assistant');
  const before = messages.slice(0, at === -1 ? undefined : at);
  const question = before.findLast(message => roleOf(message) === 'user') ?? before.at(-1);
  return {
    prompt: question === undefined ? '' : shorten(contentOf(question)),
    answer: at === -1 ? '' : shorten(contentOf(messages[at])),
  };
}

/** A text, or the last message of a list. */
function lastText(value: unknown): string {
  return Array.isArray(value) ? contentOf(value.at(-1)) : toText(value);
}

function contentOf(message: unknown): string {
  if (typeof message !== 'object' || message === null) return toText(message);
  const { content, ...rest } = message as Record<string, unknown>;
  return typeof content === 'string' && content !== '' ? content : toText(content || rest);
}

function roleOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null ? (message as { role?: unknown }).role : undefined;
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shorten(text: string, most = MOST): string {
  const line = text
    .slice(0, 4 * MOST)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(HALF, '')}…`;
}

// What comes before the answer of a row whose columns are not messages: its question, which may be in two columns, earlier turns, and
// a system message.
import { textOfContent } from '../../contract/index.js';
import { TextError } from './errors.js';
import { isObject, type Json } from './text-files.js';

/** Of Alpaca's columns. */
export function readQuestion({ instruction, input }: Json): string {
  const asked = readText(instruction, 'instruction');
  const more = input == null ? '' : readText(input, 'input');
  return more.trim() ? `${asked}\n\n${more}` : asked;
}

/** Earlier turns, as pairs of question and answer. */
export function readHistory(history: unknown): Json[] {
  if (history == null) return [];
  if (!Array.isArray(history)) throw new TextError('history is not a list');
  return history.flatMap((pair, index) => {
    const at = `history[${index}]`;
    if (!Array.isArray(pair) || pair.length !== 2)
      throw new TextError(`${at} is not a question and an answer`);
    return [
      { role: 'user', content: readText(pair[0], `${at}[0]`) },
      { role: 'assistant', content: readText(pair[1], `${at}[1]`) },
    ];
  });
}

/** A text or messages, with the system message first, unless they start with the same. */
export function withSystem(system: unknown, asked: unknown): unknown {
  if (!saysSystem(system)) return asked;
  const first = { role: 'system', content: system };
  if (typeof asked === 'string') return [first, { role: 'user', content: asked }];
  if (!Array.isArray(asked) || isSaidBy(asked[0], system)) return asked;
  return [first, ...asked];
}

function isSaidBy(message: unknown, system: string): boolean {
  if (!isObject(message) || !['system', 'developer'].includes(String(message.role))) return false;
  return textOfContent(message.content)?.trim() === system.trim();
}

/** Of rows that may have another column of this name, which is not a text. */
export const systemText = (system: unknown): unknown => (typeof system === 'string' ? system : null);

/** False for a blank one. */
export function saysSystem(system: unknown): system is string {
  return system != null && readText(system, 'system').trim() !== '';
}

export function readText(value: unknown, at: string): string {
  if (typeof value !== 'string') throw new TextError(`${at} is not a string`);
  return value;
}

// The items of responses and conversations in the form in which they are stored and listed.
import { randomUUID } from 'node:crypto';
import type { ResponseItem, SpokenItem } from '../../contract/index.js';

type Message = Extract<SpokenItem, { role: string }>;

const PREFIXES = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fco',
  reasoning: 'rs',
} as const;

/** Also says what callers may leave out. */
export function toResponseItem(item: SpokenItem): ResponseItem {
  const { type = 'message' } = item;
  const id = item.id ?? `${PREFIXES[type]}_${newId()}`;
  if ('role' in item)
    return { id, type: 'message', status: 'completed', role: item.role, content: toParts(item) };
  if (item.type === 'reasoning') return { summary: [], ...item, id };
  return { ...item, id, status: 'completed' } as ResponseItem;
}

function toParts({ role, content }: Message) {
  const parts = typeof content === 'string' ? [{ text: content }] : content;
  return parts.map(({ text }) =>
    role === 'assistant'
      ? { type: 'output_text' as const, text, annotations: [], logprobs: [] }
      : { type: 'input_text' as const, text },
  );
}

export function newId(): string {
  return randomUUID().replaceAll('-', '');
}

// The items of responses and conversations in the form in which they are stored and listed.
import type { ResponseItem, SpokenItem } from '../../contract/index.js';
import { newId } from '../openai-values.js';

type Message = Extract<SpokenItem, { role: string }>;

const PREFIXES = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fco',
  reasoning: 'rs',
} as const;

/** Also says what callers may leave out. */
export function toResponseItem(item: SpokenItem): ResponseItem {
  const id = item.id || newItemId(item);
  if ('role' in item)
    return { id, type: 'message', status: 'completed', role: item.role, content: toParts(item) };
  if (item.type === 'reasoning') return { summary: [], ...item, id };
  return { ...item, id, status: 'completed' } as ResponseItem;
}

/** The added items, with a new ID for each whose own is taken: clients send items again, and an ID names one place in a list. */
export function withOwnIds(before: readonly ResponseItem[], added: readonly ResponseItem[]): ResponseItem[] {
  const taken = new Set(before.map(({ id }) => id));
  return added.map(item => {
    const id = taken.has(item.id) ? newItemId(item) : item.id;
    taken.add(id);
    return { ...item, id };
  });
}

const newItemId = ({ type = 'message' }: SpokenItem) => newId(`${PREFIXES[type]}_`);

function toParts({ role, content }: Message) {
  const parts = typeof content === 'string' ? [{ text: content }] : content;
  return parts.map(({ text }) =>
    role === 'assistant'
      ? { type: 'output_text' as const, text, annotations: [], logprobs: [] }
      : { type: 'input_text' as const, text },
  );
}

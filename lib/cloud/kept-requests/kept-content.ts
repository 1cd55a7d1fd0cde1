// What is stored of a request, and how it is read again.
import type { ChatMessage, KeptAnswer, KeptRequest } from '../../contract/index.js';
import type { KeptRow } from './kept-db.js';

export type KeptContent = Omit<KeptRequest, 'id' | 'createdAt' | 'mark' | 'correction'>;

export function toKeptRequest(row: KeptRow): KeptRequest {
  return {
    id: row.id,
    createdAt: row.created_at,
    ...(JSON.parse(row.content) as KeptContent),
    mark: row.mark,
    correction: row.correction === null ? null : (JSON.parse(row.correction) as KeptAnswer),
  };
}

/** Less than its JSON has in bytes, without writing it. */
export function leastBytes({ messages, answer }: Pick<KeptContent, 'messages' | 'answer'>): number {
  return messages.reduce((sum, message) => sum + lengthOf(message), 0) + (answer.content?.length ?? 0);
}

function lengthOf({ content }: ChatMessage): number {
  if (content == null) return 0;
  if (typeof content === 'string') return content.length;
  return content.reduce((sum, { text }) => sum + text.length, 0);
}

// What is stored of a request, and how it is read again.
import type { KeptAnswer, KeptRequest } from '../../contract/index.js';
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

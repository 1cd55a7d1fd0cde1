// Kept requests as fake servers hold them.
import {
  ApiError,
  type KeptRequest,
  type KeptRequestChange,
  type KeptRequests,
} from '../../lib/contract/index.js';

export function sampleKept(fields: Partial<KeptRequest> = {}): KeptRequest {
  return {
    id: '4a2b3c4d-0000-4000-8000-000000000004',
    createdAt: '2026-03-01T10:00:00.000Z',
    operation: 'chat',
    model: 'svc/tiny',
    messages: [{ role: 'user', content: 'My parcel is late.' }],
    answer: { content: 'It arrives tomorrow.' },
    outcome: 'complete',
    usage: { promptTokens: 12, completionTokens: 4 },
    durationMs: 80,
    mark: null,
    correction: null,
    ...fields,
  };
}

interface Query {
  mark?: KeptRequest['mark'] | 'none' | undefined;
  limit?: string | number | undefined;
  cursor?: string | undefined;
}

/** A cursor is the index of the next one. */
export function listKept(
  all: readonly KeptRequest[],
  { mark, limit = '50', cursor = '0' }: Query,
): KeptRequests {
  const matching = all.filter(one => mark === undefined || one.mark === (mark === 'none' ? null : mark));
  const end = Number(cursor) + Number(limit);
  const count = (wanted: KeptRequest['mark']) => all.filter(one => one.mark === wanted).length;
  return {
    requests: matching.slice(Number(cursor), end),
    counts: { all: all.length, good: count('good'), bad: count('bad'), corrected: count('corrected') },
    skipped: 0,
    nextCursor: end < matching.length ? String(end) : null,
  };
}

export function findKept(all: readonly KeptRequest[], id: string): { request: KeptRequest } {
  const request = all.find(one => one.id === id);
  if (!request) throw new ApiError('request_not_found', `This endpoint has kept no request ${id}.`);
  return { request };
}

export function deleteKept(all: KeptRequest[], id: string): { request: KeptRequest } {
  const { request } = findKept(all, id);
  all.splice(all.indexOf(request), 1);
  return { request };
}

export function changeKept(all: readonly KeptRequest[], id: string, { mark, correction }: KeptRequestChange) {
  const { request } = findKept(all, id);
  Object.assign(
    request,
    correction
      ? { mark: 'corrected', correction }
      : { mark: mark === 'none' ? null : mark, correction: null },
  );
  return { request: { ...request } };
}

// Checks a request for an enabled key of a deployment and records when that key was last used.
import { ApiError, parseKey } from '../../contract/index.js';
import { hashToken, isSameText, readBearer } from '../auth/token.js';
import type { Db } from '../store/db.js';

const NOTE_EVERY_MS = 60_000;

interface UsedKey {
  id: string;
  lastUsedAt: string | null;
}

/** Throws `invalid_api_key`. */
export async function checkKey(db: Db, deploymentId: string, request: Request): Promise<UsedKey> {
  for (const text of [readBearer(request), request.headers.get('x-api-key')]) {
    const key = text === null ? null : parseKey(text);
    const found = key && (await findKey(db, deploymentId, hashToken(key.plaintext)));
    if (found) return found;
  }
  throw new ApiError(
    'invalid_api_key',
    'This requires an enabled API key for this endpoint, sent as `Authorization: Bearer <API_KEY>`.',
    { headers: { 'www-authenticate': 'Bearer' } },
  );
}

async function findKey(db: Db, deploymentId: string, hash: string): Promise<UsedKey | null> {
  const key = await db
    .selectFrom('keys')
    .select(['id', 'hash', 'enabled', 'deployment_id', 'last_used_at as lastUsedAt'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  const isGood = key && isSameText(key.hash, hash) && key.enabled === 1 && key.deployment_id === deploymentId;
  return isGood ? key : null;
}

/** Approximate, only to show which keys are in use: written at most once a minute. */
export async function noteUse(db: Db, key: UsedKey, now: Date): Promise<void> {
  const stale = new Date(now.getTime() - NOTE_EVERY_MS).toISOString();
  if (key.lastUsedAt !== null && key.lastUsedAt > stale) return;
  await db
    .updateTable('keys')
    .set({ last_used_at: now.toISOString() })
    .where('id', '=', key.id)
    .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', stale)]))
    .execute();
}

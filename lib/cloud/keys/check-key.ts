// Checks requests for an enabled key of a deployment or a project, and records when a key was last used.
import type { Clock } from '../../clock/index.js';
import { ApiError } from '../../contract/index.js';
import { hashToken, isSameText, readBearer } from '../auth/token.js';
import type { CloudDeps } from '../deps.js';
import type { Db } from '../store/db.js';
import type { Tables } from '../store/tables.js';
import { parseKey } from './key-text.js';

const NOTE_EVERY_MS = 60_000;

/** Anthropic's and Azure's, in addition to `Authorization`. */
export const KEY_HEADERS = ['x-api-key', 'api-key'];

type KeyRow = Tables['keys'];

interface KeyCheck {
  /** Throws `invalid_api_key`. */
  deploymentKey(request: Request, deploymentId: string): Promise<Pick<KeyRow, 'id'>>;
  /** Throws `invalid_api_key`. */
  projectKey(request: Request): Promise<{ id: string; projectId: string }>;
}

interface KeyCheckContext {
  db: Db;
  deps: Pick<CloudDeps, 'log'>;
  clock: Clock;
}

export function createKeyCheck({ db, deps, clock }: KeyCheckContext): KeyCheck {
  async function find(request: Request, isWanted: (key: KeyRow) => boolean): Promise<KeyRow | null> {
    for (const text of [readBearer(request), ...KEY_HEADERS.map(name => request.headers.get(name))]) {
      const key = text === null ? null : parseKey(text);
      const found = key && (await findEnabled(db, hashToken(key.plaintext)));
      if (!found || !isWanted(found)) continue;
      noteSoon(found);
      return found;
    }
    return null;
  }

  /** Runs in the background; a failure affects nothing. */
  function noteSoon(key: KeyRow): void {
    noteUse(db, key, new Date(clock.now())).catch(error =>
      deps.log({ message: 'Could not record the use of a key.', error }),
    );
  }

  return {
    async deploymentKey(request, deploymentId) {
      const key = await find(request, ({ deployment_id }) => deployment_id === deploymentId);
      return key ?? refuse('this endpoint');
    },
    async projectKey(request) {
      const key = await find(request, ({ project_id }) => project_id !== null);
      return key
        ? { id: key.id, projectId: key.project_id! }
        : refuse('a project (`svc keys issue --project`)');
    },
  };
}

async function findEnabled(db: Db, hash: string): Promise<KeyRow | null> {
  const key = await db.selectFrom('keys').selectAll().where('hash', '=', hash).executeTakeFirst();
  return key && isSameText(key.hash, hash) && key.enabled === 1 ? key : null;
}

function refuse(owner: string): never {
  throw new ApiError(
    'invalid_api_key',
    `This requires an enabled API key for ${owner}, sent as \`Authorization: Bearer <API_KEY>\`.`,
    { headers: { 'www-authenticate': 'Bearer' } },
  );
}

/**
 * Approximate, to show which keys are in use: written at most once a minute. A time that has not come yet is of a clock that was
 * ahead.
 */
async function noteUse(db: Db, { id, last_used_at: last }: KeyRow, now: Date): Promise<void> {
  const stale = new Date(now.getTime() - NOTE_EVERY_MS).toISOString();
  if (last !== null && last > stale && last <= now.toISOString()) return;
  await db
    .updateTable('keys')
    .set({ last_used_at: now.toISOString() })
    .where('id', '=', id)
    .where(({ eb, or }) =>
      or([
        eb('last_used_at', 'is', null),
        eb('last_used_at', '<=', stale),
        eb('last_used_at', '>', now.toISOString()),
      ]),
    )
    .execute();
}

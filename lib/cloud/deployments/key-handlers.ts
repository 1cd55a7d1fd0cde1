// The routes of a deployment's keys: issued once in plain text, listed, revoked.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { ApiError, type CloudRoutes, generateKey, type Key } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { Access } from '../access.js';
import { hashToken } from '../auth/token.js';
import type { CloudDeps } from '../deps.js';
import type { Db } from '../store/db.js';
import type { Tables } from '../store/tables.js';
import { findDeployment } from './find-deployment.js';

export interface KeyContext {
  db: Db;
  access: Access;
  deps: Pick<CloudDeps, 'now'>;
}

type KeyRoutes = Pick<CloudRoutes, 'listDeploymentKeys' | 'issueDeploymentKey' | 'revokeDeploymentKey'>;

export function keyHandlers({ db, access, deps }: KeyContext): Handlers<KeyRoutes> {
  return {
    async listDeploymentKeys({ request, query, params }) {
      const { id } = await findDeployment(db, await access.enter(request, query), params.id);
      const rows = await db
        .selectFrom('keys')
        .selectAll()
        .where('deployment_id', '=', id)
        .orderBy('number')
        .execute();
      return { keys: rows.map(toKey) };
    },
    async issueDeploymentKey({ request, query, params, body }) {
      const place = await access.enter(request, query);
      const { plaintext, prefix } = generateKey();
      const row = await db.transaction().execute(async transaction => {
        const { id } = await findDeployment(transaction, place, params.id);
        return transaction
          .insertInto('keys')
          .values({
            id: randomUUID(),
            deployment_id: id,
            number: sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM keys)`,
            label: body.label,
            prefix,
            hash: hashToken(plaintext),
            enabled: 1,
            created_at: (deps.now?.() ?? new Date()).toISOString(),
            last_used_at: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
      });
      return { key: { ...toKey(row), plaintext } };
    },
    async revokeDeploymentKey({ request, query, params }) {
      const { id } = await findDeployment(db, await access.enter(request, query), params.id);
      const row = await db
        .updateTable('keys')
        .set({ enabled: 0 })
        .where('id', '=', params.keyId)
        .where('deployment_id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw new ApiError('key_not_found', `There is no key ${params.keyId} of this endpoint.`);
      return { key: toKey(row) };
    },
  };
}

function toKey({ id, label, prefix, enabled, created_at, last_used_at }: Tables['keys']): Key {
  return { id, label, prefix, enabled: enabled === 1, createdAt: created_at, lastUsedAt: last_used_at };
}

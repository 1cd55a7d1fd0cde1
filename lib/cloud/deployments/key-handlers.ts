// The routes of a deployment's keys: issued once in plain text, listed and revoked.
import type { Transaction } from 'kysely';
import { ApiError, type CloudRoutes, generateKey, type Key } from '../../contract/index.js';
import { type Handlers, onUndelivered } from '../../http/index.js';
import type { Access } from '../access.js';
import { hashToken } from '../auth/token.js';
import type { CloudDeps } from '../deps.js';
import type { Db } from '../store/db.js';
import { once } from '../store/once.js';
import type { Tables } from '../store/tables.js';
import { findDeployment } from './find-deployment.js';
import { insertKey, issueAgain, withdrawKey } from './store-key.js';

interface KeyContext {
  db: Db;
  access: Access;
  deps: Pick<CloudDeps, 'log' | 'now'>;
}

type KeyRoutes = Pick<CloudRoutes, 'listDeploymentKeys' | 'issueDeploymentKey' | 'revokeDeploymentKey'>;

export function keyHandlers({ db, access, deps }: KeyContext): Handlers<KeyRoutes> {
  return {
    async listDeploymentKeys({ request, query, params }) {
      const { id } = await findDeployment(db, await access.authorize(request, query), params.id);
      const rows = await db
        .selectFrom('keys')
        .selectAll()
        .where('deployment_id', '=', id)
        .orderBy('number')
        .execute();
      return { keys: rows.map(toKey) };
    },
    async issueDeploymentKey({ request, query, params, body, idempotencyKey: key }) {
      const scope = await access.authorize(request, query);
      const now = deps.now?.() ?? new Date();
      const { plaintext, prefix } = generateKey();
      const { label } = body;
      const asked = {
        key,
        caller: scope.caller.identityId,
        request: ['issueDeploymentKey', query, params, body],
      };
      const toNewKey = async (transaction: Transaction<Tables>) => ({
        deployment_id: (await findDeployment(transaction, scope, params.id)).id,
        label,
        prefix,
        hash: hashToken(plaintext),
        created_at: now.toISOString(),
      });
      const { answer: row } = await once({ db, now }, asked, {
        create: async transaction => insertKey(transaction, await toNewKey(transaction)),
        note: ({ id }) => id,
        repeat: async (transaction, id) => issueAgain(transaction, id as string, await toNewKey(transaction)),
      });
      onUndelivered(request, () => {
        withdrawKey(db, row.id, asked).catch(error =>
          deps.log({ message: 'Could not withdraw a key that was never delivered.', error }),
        );
      });
      return { key: { ...toKey(row), plaintext } };
    },
    async revokeDeploymentKey({ request, query, params }) {
      const { id } = await findDeployment(db, await access.authorize(request, query), params.id);
      const row = await db
        .updateTable('keys')
        .set({ enabled: 0 })
        .where('id', '=', params.keyId)
        .where('deployment_id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw new ApiError('key_not_found', `This endpoint has no key ${params.keyId}.`);
      return { key: toKey(row) };
    },
  };
}

function toKey({ id, label, prefix, enabled, created_at, last_used_at }: Tables['keys']): Key {
  return { id, label, prefix, enabled: enabled === 1, createdAt: created_at, lastUsedAt: last_used_at };
}

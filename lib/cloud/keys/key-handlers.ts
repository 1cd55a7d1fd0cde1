// Routes for keys of a deployment or a project: issued once in plain text, listed and revoked. If the answer with a key's
// plaintext is lost, nobody can use the key, so it is revoked.
import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../../clock/index.js';
import { ApiError, type CloudRoutes, type Key } from '../../contract/index.js';
import { type Handlers, onUndelivered, type RouteInput } from '../../http/index.js';
import type { Access, ProjectScope } from '../auth/authorize.js';
import { hashToken } from '../auth/token.js';
import { findDeployment } from '../deployments/deployment-rows.js';
import type { CloudDeps } from '../deps.js';
import type { Db } from '../store/db.js';
import { forgetRequest, type IdempotentRequest, mismatch, once } from '../store/once.js';
import type { Tables } from '../store/tables.js';
import type { StoredAnswers } from '../stored-answers/stored-answers.js';
import { generateKey } from './key-text.js';

interface KeyContext {
  db: Db;
  access: Access;
  deps: Pick<CloudDeps, 'log'>;
  stored: Pick<StoredAnswers, 'enforce'>;
  clock: Clock;
}

type KeyRoutes = Pick<
  CloudRoutes,
  | 'listDeploymentKeys'
  | 'issueDeploymentKey'
  | 'revokeDeploymentKey'
  | 'listProjectKeys'
  | 'issueProjectKey'
  | 'revokeProjectKey'
>;

/** The deployment or project that owns the keys. */
interface KeyOwner {
  column: 'deployment_id' | 'project_id';
  id: string;
}

type Input = Pick<RouteInput<CloudRoutes['issueProjectKey']>, 'request' | 'query'> & {
  /** The deployment's ID, for its keys. */
  params: { id?: string };
};

type IssueInput = Input & Pick<RouteInput<CloudRoutes['issueProjectKey']>, 'body' | 'idempotencyKey'>;
type RevokeInput = Input & { params: { keyId: string } };

export function keyHandlers({ db, access, deps, stored, clock }: KeyContext): Handlers<KeyRoutes> {
  async function list({ request, query, params }: Input) {
    const { column, id } = await findOwner(db, await access.authorize(request, query), params);
    const rows = await db.selectFrom('keys').selectAll().where(column, '=', id).orderBy('number').execute();
    return { keys: rows.map(toKey) };
  }

  async function issue({ request, query, params, body, idempotencyKey: key }: IssueInput) {
    const scope = await access.authorize(request, query);
    const now = new Date(clock.now());
    const { plaintext, prefix } = generateKey();
    const idempotency = { key, caller: scope.caller.identityId, request: ['issueKey', query, params, body] };
    const insert = async (transaction: Transaction<Tables>) => {
      const { column, id } = await findOwner(transaction, scope, params);
      return insertKey(transaction, {
        ...{ deployment_id: null, project_id: null, [column]: id },
        label: body.label,
        prefix,
        hash: hashToken(plaintext),
        created_at: now.toISOString(),
      });
    };
    const { answer: row } = await once({ db, now }, idempotency, {
      create: insert,
      note: ({ id }) => id,
      async repeat(transaction, id) {
        await revokeUnused(transaction, id as string);
        return insert(transaction);
      },
    });
    onUndelivered(request, () => {
      withdrawKey(db, row.id, idempotency).catch(error =>
        deps.log({ message: 'Could not withdraw a key that was never delivered.', error }),
      );
    });
    return { key: { ...toKey(row), plaintext } };
  }

  async function revoke({ request, query, params }: RevokeInput) {
    const { column, id } = await findOwner(db, await access.authorize(request, query), params);
    const { keyId } = params;
    const row = await db
      .updateTable('keys')
      .set({ enabled: 0 })
      .where('id', '=', keyId)
      .where(column, '=', id)
      .returningAll()
      .executeTakeFirst();
    const noun = column === 'project_id' ? 'project' : 'endpoint';
    if (!row) throw new ApiError('key_not_found', `This ${noun} has no key ${keyId}.`);
    await stored.enforce();
    return { key: toKey(row) };
  }

  return {
    listDeploymentKeys: list,
    issueDeploymentKey: issue,
    revokeDeploymentKey: revoke,
    listProjectKeys: list,
    issueProjectKey: issue,
    revokeProjectKey: revoke,
  };
}

/** Throws if the deployment does not exist or belongs to someone else. */
async function findOwner(
  db: Kysely<Tables>,
  scope: ProjectScope,
  { id }: Input['params'],
): Promise<KeyOwner> {
  if (id === undefined) return { column: 'project_id', id: scope.projectId };
  return { column: 'deployment_id', id: (await findDeployment(db, scope, id)).id };
}

function toKey({ id, label, prefix, enabled, created_at, last_used_at }: KeyRow): Key {
  return { id, label, prefix, enabled: enabled === 1, createdAt: created_at, lastUsedAt: last_used_at };
}

type KeyRow = Tables['keys'];
type NewKey = Omit<KeyRow, 'id' | 'number' | 'enabled' | 'last_used_at'>;

function insertKey(transaction: Transaction<Tables>, key: NewKey): Promise<KeyRow> {
  return transaction
    .insertInto('keys')
    .values({
      ...key,
      id: randomUUID(),
      number: sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM keys)`,
      enabled: 1,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Revokes the key that an earlier attempt at this request issued, whose plaintext was lost. */
async function revokeUnused(transaction: Transaction<Tables>, id: string): Promise<void> {
  const former = await transaction
    .updateTable('keys')
    .set({ enabled: 0 })
    .where('id', '=', id)
    .returning('last_used_at')
    .executeTakeFirst();
  if (!former || former.last_used_at === null) return;
  throw mismatch(
    'The key that this request issued has been used since, so its plaintext was received. Use a new `Idempotency-Key` to issue another one.',
  );
}

/** Deletes a key whose answer could not be delivered. Repeating the request then starts afresh. */
async function withdrawKey(db: Db, id: string, idempotency: IdempotentRequest): Promise<void> {
  await db.transaction().execute(async transaction => {
    await transaction.deleteFrom('keys').where('id', '=', id).execute();
    await forgetRequest(transaction, idempotency, id);
  });
}

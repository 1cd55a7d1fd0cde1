// The routes of keys, a deployment's or a project's: issued once in plain text, listed and revoked. If the answer with a
// key's plaintext is lost, nobody can use that key, so it must not stay.
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
import { type Asked, forgetRequest, mismatch, once } from '../store/once.js';
import type { Tables } from '../store/tables.js';
import { generateKey } from './key-text.js';

interface KeyContext {
  db: Db;
  access: Access;
  deps: Pick<CloudDeps, 'log'>;
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

/** What keys belong to. Throws if there is none, or it is somebody else's. */
type FindOwner<Params> = (db: Kysely<Tables>, scope: ProjectScope, params: Params) => Promise<KeyOwner>;

const ofDeployment: FindOwner<{ id: string }> = async (db, scope, { id }) => ({
  column: 'deployment_id',
  id: (await findDeployment(db, scope, id)).id,
});

const ofProject: FindOwner<object> = async (_, { projectId }) => ({ column: 'project_id', id: projectId });

type Input<Params> = Pick<RouteInput<CloudRoutes['listProjectKeys']>, 'request' | 'query'> & {
  params: Params;
};

type IssueInput<Params> = Input<Params> &
  Pick<RouteInput<CloudRoutes['issueProjectKey']>, 'body' | 'idempotencyKey'>;

export function keyHandlers({ db, access, deps, clock }: KeyContext): Handlers<KeyRoutes> {
  async function findOwner<Params>(find: FindOwner<Params>, { request, query, params }: Input<Params>) {
    return find(db, await access.authorize(request, query), params);
  }

  async function list<Params>(find: FindOwner<Params>, input: Input<Params>) {
    const { column, id } = await findOwner(find, input);
    const rows = await db.selectFrom('keys').selectAll().where(column, '=', id).orderBy('number').execute();
    return { keys: rows.map(toKey) };
  }

  async function issue<Params>(
    route: keyof KeyRoutes,
    find: FindOwner<Params>,
    { request, query, params, body, idempotencyKey: key }: IssueInput<Params>,
  ) {
    const scope = await access.authorize(request, query);
    const now = new Date(clock.now());
    const { plaintext, prefix } = generateKey();
    const asked = { key, caller: scope.caller.identityId, request: [route, query, params, body] };
    const toNewKey = async (transaction: Transaction<Tables>) => ({
      owner: await find(transaction, scope, params),
      label: body.label,
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
  }

  async function revoke<Params extends { keyId: string }>(find: FindOwner<Params>, input: Input<Params>) {
    const { column, id } = await findOwner(find, input);
    const { keyId } = input.params;
    const row = await db
      .updateTable('keys')
      .set({ enabled: 0 })
      .where('id', '=', keyId)
      .where(column, '=', id)
      .returningAll()
      .executeTakeFirst();
    const noun = column === 'project_id' ? 'project' : 'endpoint';
    if (!row) throw new ApiError('key_not_found', `This ${noun} has no key ${keyId}.`);
    return { key: toKey(row) };
  }

  return {
    listDeploymentKeys: input => list(ofDeployment, input),
    issueDeploymentKey: input => issue('issueDeploymentKey', ofDeployment, input),
    revokeDeploymentKey: input => revoke(ofDeployment, input),
    listProjectKeys: input => list(ofProject, input),
    issueProjectKey: input => issue('issueProjectKey', ofProject, input),
    revokeProjectKey: input => revoke(ofProject, input),
  };
}

function toKey({ id, label, prefix, enabled, created_at, last_used_at }: Tables['keys']): Key {
  return { id, label, prefix, enabled: enabled === 1, createdAt: created_at, lastUsedAt: last_used_at };
}

type KeyRow = Tables['keys'];

/** The deployment or project that keys are for. */
interface KeyOwner {
  column: 'deployment_id' | 'project_id';
  id: string;
}

interface NewKey extends Pick<KeyRow, 'label' | 'prefix' | 'hash' | 'created_at'> {
  owner: KeyOwner;
}

function insertKey(transaction: Transaction<Tables>, { owner, ...key }: NewKey): Promise<KeyRow> {
  return transaction
    .insertInto('keys')
    .values({
      id: randomUUID(),
      number: sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM keys)`,
      ...key,
      deployment_id: null,
      project_id: null,
      [owner.column]: owner.id,
      enabled: 1,
      last_used_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Revokes the key that an earlier attempt at this request issued, whose plaintext nobody has, and issues another. */
async function issueAgain(transaction: Transaction<Tables>, formerId: string, key: NewKey): Promise<KeyRow> {
  const former = await transaction
    .updateTable('keys')
    .set({ enabled: 0 })
    .where('id', '=', formerId)
    .returning('last_used_at')
    .executeTakeFirst();
  if (former && former.last_used_at !== null) throw used();
  return insertKey(transaction, key);
}

/** Deletes a key whose answer could not be delivered. The request can then be repeated as if it were the first. */
async function withdrawKey(db: Db, id: string, asked: Asked): Promise<void> {
  await db.transaction().execute(async transaction => {
    await transaction.deleteFrom('keys').where('id', '=', id).execute();
    await forgetRequest(transaction, asked, id);
  });
}

function used() {
  return mismatch(
    'The key that this request issued has been used since, so its plaintext was received. Use a new `Idempotency-Key` to issue another one.',
  );
}

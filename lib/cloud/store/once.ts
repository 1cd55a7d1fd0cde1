// Executes requests that create something exactly once, however often they are sent. The creation and its record are one
// transaction, so a caller who lost the response, even to a killed process, can retry.
import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { ApiError } from '../../contract/index.js';
import type { Db } from './db.js';
import type { Tables } from './tables.js';

/** How long a request is remembered. */
const MEMORY_MS = 24 * 60 * 60 * 1000;

export interface IdempotentRequest {
  /** Null if the caller gave none; the request then runs every time. */
  key: string | null;
  caller: string;
  /** Everything the answer depends on. Only its digest is stored. */
  request: unknown;
}

interface Creation<Answer> {
  create(transaction: Transaction<Tables>): Promise<Answer>;
  /** The part of the answer to remember, which must not be secret. Default: all of it. */
  note?(answer: Answer): unknown;
  /** The answer to a repeated request. Default: the remembered one. */
  repeat?(transaction: Transaction<Tables>, noted: unknown): Promise<Answer>;
}

interface Outcome<Answer> {
  answer: Answer;
  isNew: boolean;
}

/** Throws `idempotency_mismatch` if the key was used for another request. */
export function once<Answer>(
  { db, now }: { db: Db; now: Date },
  idempotency: IdempotentRequest,
  creation: Creation<Answer>,
): Promise<Outcome<Answer>> {
  return db.transaction().execute(async transaction => {
    if (idempotency.key === null) return { answer: await creation.create(transaction), isNew: true };
    await forgetOld(transaction, now);
    const noted = await findNote(transaction, idempotency);
    const answer = noted
      ? await repeat(transaction, creation, noted.value)
      : await creation.create(transaction);
    await writeNote(transaction, idempotency, now, creation.note ? creation.note(answer) : answer);
    return { answer, isNew: noted === null };
  });
}

function repeat<Answer>(
  transaction: Transaction<Tables>,
  creation: Creation<Answer>,
  noted: unknown,
): Promise<Answer> {
  return creation.repeat ? creation.repeat(transaction, noted) : Promise.resolve(noted as Answer);
}

/** Forgets the request if its record has not changed since. */
export async function forgetRequest(
  transaction: Transaction<Tables>,
  { key, caller }: IdempotentRequest,
  noted: unknown,
): Promise<void> {
  if (key === null) return;
  await transaction
    .deleteFrom('idempotency_keys')
    .where('caller', '=', caller)
    .where('key', '=', key)
    .where('noted', '=', JSON.stringify(noted))
    .execute();
}

/** Forgets requests that are too old to be repeated. */
export async function forgetOld(db: Pick<Db, 'deleteFrom'>, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - MEMORY_MS).toISOString();
  await db.deleteFrom('idempotency_keys').where('created_at', '<=', oldest).execute();
}

async function findNote(
  transaction: Transaction<Tables>,
  idempotency: IdempotentRequest,
): Promise<{ value: unknown } | null> {
  const found = await transaction
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'noted'])
    .where('caller', '=', idempotency.caller)
    .where('key', '=', idempotency.key)
    .executeTakeFirst();
  if (!found) return null;
  if (found.request_hash === hashRequest(idempotency)) return { value: JSON.parse(found.noted) };
  throw mismatch('This `Idempotency-Key` was used for a different request. Use a new one for each request.');
}

async function writeNote(
  transaction: Transaction<Tables>,
  idempotency: IdempotentRequest,
  now: Date,
  value: unknown,
): Promise<void> {
  const noted = JSON.stringify(value);
  await transaction
    .insertInto('idempotency_keys')
    .values({
      caller: idempotency.caller,
      key: idempotency.key!,
      request_hash: hashRequest(idempotency),
      noted,
      created_at: now.toISOString(),
    })
    .onConflict(conflict => conflict.columns(['caller', 'key']).doUpdateSet({ noted }))
    .execute();
}

function hashRequest({ request }: IdempotentRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}

/** Programs that retry a 409 would retry forever. */
export function mismatch(message: string): ApiError {
  return new ApiError('idempotency_mismatch', message, {
    param: 'idempotency-key',
    headers: { 'x-should-retry': 'false' },
  });
}

// Updates a database's tables when it is opened.
import { CompiledQuery, type Kysely } from 'kysely';

export interface Schema {
  /** SQLite keeps it as the file's `user_version`. */
  readonly version: number;
  /** Statements that create this version in an empty file. */
  readonly create: readonly string[];
  /** Statements that update from the previous version. Never edit those of a released version. */
  readonly updates?: Readonly<Record<number, readonly string[]>>;
}

/** All or nothing. */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  { version, create, updates = {} }: Schema,
): Promise<void> {
  const { rows } = await db.executeQuery<{ user_version: number }>(CompiledQuery.raw('PRAGMA user_version'));
  const found = rows[0]!.user_version;
  if (found === version) return;
  if (found > version)
    throw new Error(
      `The cloud's data was written by a newer version of svc (its tables are version ${found}; this one knows ${version}). Update svc.`,
    );
  const missing = Array.from({ length: version - found }, (_, index) => updates[found + 1 + index]);
  const steps = found === 0 ? [create] : missing;
  if (steps.includes(undefined))
    throw new Error(
      `The cloud's data was written by an early version of svc (its tables are version ${found}) that this one cannot update. Move it away, and start the cloud again.`,
    );
  await db.transaction().execute(async transaction => {
    for (const statement of steps.flatMap(step => step!))
      await transaction.executeQuery(CompiledQuery.raw(statement));
    await transaction.executeQuery(CompiledQuery.raw(`PRAGMA user_version = ${version}`));
  });
}

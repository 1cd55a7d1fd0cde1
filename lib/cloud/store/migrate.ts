// Runs pending migrations when the database is opened, all or none. SQLite's `user_version` holds the number of completed
// ones.
import { CompiledQuery, type Kysely } from 'kysely';
import { migrations } from './migrations.js';

export async function migrate<Tables>(
  db: Kysely<Tables>,
  steps: readonly (readonly string[])[] = migrations,
): Promise<void> {
  const { rows } = await db.executeQuery<{ user_version: number }>(CompiledQuery.raw('PRAGMA user_version'));
  const done = rows[0]!.user_version;
  if (done > steps.length) {
    throw new Error(
      `The cloud's data was written by a newer version of svc (${done} migrations; this one knows ${steps.length}). Update svc.`,
    );
  }
  if (done === steps.length) return;
  await db.transaction().execute(async transaction => {
    for (const statement of steps.slice(done).flat())
      await transaction.executeQuery(CompiledQuery.raw(statement));
    await transaction.executeQuery(CompiledQuery.raw(`PRAGMA user_version = ${steps.length}`));
  });
}

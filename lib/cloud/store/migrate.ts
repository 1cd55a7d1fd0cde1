// Runs pending migrations when the database is opened. SQLite's `user_version` holds the number of completed ones.
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
  for (let next = done; next < steps.length; next++) {
    await db.transaction().execute(async transaction => {
      for (const statement of steps[next]!) await transaction.executeQuery(CompiledQuery.raw(statement));
      await transaction.executeQuery(CompiledQuery.raw(`PRAGMA user_version = ${next + 1}`));
    });
  }
}

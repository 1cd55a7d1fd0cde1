// Rows that tests of a database add and read.
import { sql } from 'kysely';
import type { Store } from '../../../lib/cloud/store/db.js';

type Writer = Pick<Store['db'], 'insertInto'>;

/** For the store that is open when they are called. */
export function sampleOrgs(store: () => Store) {
  const add = (id: string, writer: Writer = store().db) =>
    writer
      .insertInto('orgs')
      .values({ id, slug: id, name: id, created_at: '2026-01-01T00:00:00Z' })
      .execute();
  return {
    add,
    names: async () =>
      (await store().db.selectFrom('orgs').select('id').orderBy('id').execute()).map(({ id }) => id),
    limitPages: (pages: number) => sql.raw(`PRAGMA max_page_count = ${pages}`).execute(store().db),
    /** More than fits into a few pages. */
    fill: () =>
      store()
        .db.transaction()
        .execute(async transaction => {
          for (let i = 0; i < 200; i++) await add(`${i}-${'x'.repeat(1000)}`, transaction);
        }),
  };
}

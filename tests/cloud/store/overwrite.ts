// A database of which one kind of query is the test's.
import type { Db } from '../../../lib/cloud/store/db.js';
import { StorageFault } from '../../../lib/cloud/store/storage-fault.js';

export function overwrite(db: Db, name: 'transaction' | 'selectFrom' | 'deleteFrom', value: unknown): Db {
  return new Proxy(db, {
    get: (target, key) => {
      if (key === name) return value;
      const member = Reflect.get(target, key);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

/** A database whose transactions report failure after committing while `isDue`. */
export function failAfterCommit(db: Db, isDue: () => boolean): Db {
  return overwrite(db, 'transaction', () => ({
    async execute(act: Parameters<ReturnType<Db['transaction']>['execute']>[0]) {
      const result = await db.transaction().execute(act);
      if (isDue()) throw new StorageFault({ code: 'SQLITE_IOERR' });
      return result;
    },
  }));
}

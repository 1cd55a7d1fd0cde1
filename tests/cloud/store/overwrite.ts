// A database of which one kind of query is the test's.
import type { Db } from '../../../lib/cloud/store/db.js';

export function overwrite(db: Db, name: 'transaction' | 'selectFrom' | 'deleteFrom', value: unknown): Db {
  return new Proxy(db, {
    get: (target, key) => {
      if (key === name) return value;
      const member = Reflect.get(target, key);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

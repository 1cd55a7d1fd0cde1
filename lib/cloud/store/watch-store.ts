// Reports the database's state to the cloud's health. After a failure it retries until the database works, since nobody
// else may be writing.
import type { Health } from '../health.js';
import { openStore, type Store, type StoreOptions } from './db.js';
import { LOCKED } from './storage-fault.js';

const PROBE_MS = 1000;
const WHO = 'database';

export async function openWatchedStore(
  file: string,
  health: Pick<Health, 'report'>,
  options: StoreOptions = {},
): Promise<Store> {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function report(problem: string | null): void {
    if (isClosed) return;
    health.report(WHO, problem);
    clearTimeout(timer);
    if (problem !== null) timer = setTimeout(probe, PROBE_MS).unref();
  }

  function probe(): void {
    opening
      .then(store => store.probe())
      .then(
        () => report(null),
        error => report(error.problem),
      );
  }

  function settle(): void {
    isClosed = true;
    clearTimeout(timer);
  }

  const opening = openStore(file, {
    ...options,
    onBlocked: () => report(LOCKED),
    onFault: ({ problem }) => report(problem),
    onWritten: () => report(null),
  });
  opening.catch(settle);
  const store = await opening;
  return {
    ...store,
    async close() {
      settle();
      await store.close();
    },
  };
}

// Reports the database's state to the cloud's health. After a failure it retries until the database works, since nobody
// else may be writing.
import type { Clock, Timer } from '../../clock/index.js';
import type { Health } from '../health.js';
import { openStore, type Store, type StoreOptions } from './db.js';
import { LOCKED } from './storage-fault.js';

const PROBE_MS = 1000;
const WHO = 'database';

export async function openWatchedStore(
  file: string,
  health: Pick<Health, 'report'>,
  clock: Clock,
  options: Pick<StoreOptions, 'open'> = {},
): Promise<Store> {
  let timer: Timer | undefined;
  let isClosed = false;

  function report(problem: string | null): void {
    if (isClosed) return;
    health.report(WHO, problem);
    timer?.stop();
    if (problem !== null) timer = clock.after(PROBE_MS, probe);
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
    timer?.stop();
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

// A list that loads further pages when you reach its end.

import { useCallback, useEffect, useRef } from 'react';
import { isAway, NO_RESPONSE_MS, type Page, readPages } from '../../../lib/console/index.js';
import { type Dashboard, useDashboard, useShell } from '../dashboard-context.js';
import { changeStored, type Fetched, fetchInto, useKeptResponse } from './fetched.js';

/** `value`: the last page, with the items of all pages. */
interface PagesNow<Item, Found> extends Fetched<Found> {
  readonly items: readonly Item[];
  /** Fetches as many items again as are loaded. */
  refresh(): Promise<void>;
  /** Called at the last row: loads the next page, if there is one. */
  onEnd(): Promise<void>;
  /** What is loaded, as the response to a change says. */
  update(change: (found: Found) => Found): void;
}

/** `name`: where the pages are stored, so that they are there at once when the component is mounted again. */
export function usePages<Item, More>(
  name: string,
  ask: (dashboard: Dashboard, cursor: string | undefined) => Promise<Page<Item> & More>,
  patienceMs = NO_RESPONSE_MS,
): PagesNow<Item, Page<Item> & More> {
  type Found = Page<Item> & More;
  const dashboard = useDashboard();
  const isReachable = !isAway(useShell().link);
  const [fetched, store] = useKeptResponse<Found>(name);
  const isContinuing = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is the same as long as its name is
  const load = useCallback(
    (
      read: (page: (cursor: string | undefined) => Promise<Found>) => Promise<Found>,
      isContinuing = false,
    ) => {
      const options = { noResponseMs: patienceMs, isContinuing };
      return fetchInto(store, dashboard, () => read(cursor => ask(dashboard, cursor)), options);
    },
    [dashboard, store],
  );
  const refresh = useCallback(() => {
    const count = store.state.value?.items.length ?? 0;
    return load(page => readPages(page, count));
  }, [load, store]);
  useEffect(() => {
    if (isReachable) void refresh();
  }, [refresh, isReachable]);

  return {
    ...fetched,
    // While the cloud is away, a notice above every view says so.
    problem: isReachable ? fetched.problem : null,
    items: fetched.value?.items ?? [],
    refresh,
    async onEnd() {
      const { value } = store.state;
      if (value?.nextCursor == null || isContinuing.current) return;
      isContinuing.current = true;
      const count = value.items.length + 1;
      // Asked again after a change, it goes on from what is stored then.
      await load(page => readPages(page, count, store.state.value), true);
      isContinuing.current = false;
    },
    update(change) {
      changeStored(store, value => value && change(value));
    },
  };
}

// The rows of a job: a page of them, fetched again for another selection, and more on request.
import { computed, ref } from 'vue';
import { type RowSelection, toRowRequest } from '../../lib/console/index.js';
import type { RowLosses } from '../../lib/contract/index.js';
import { studio } from '../studio.js';
import { useRequest } from '../use-request.js';

const PAGE = 50;

export function useRows(id: string, first: RowSelection) {
  const selection = ref<RowSelection>(first);
  const pages = ref(1);

  async function ask(signal: AbortSignal): Promise<RowLosses> {
    const request = { ...toRowRequest(selection.value), limit: PAGE };
    let found = await studio.listJobRows(id, request, { signal });
    for (let page = 1; page < pages.value && found.nextCursor !== null; page++) {
      const next = await studio.listJobRows(id, { ...request, cursor: found.nextCursor }, { signal });
      found = { ...next, rows: [...found.rows, ...next.rows] };
    }
    return found;
  }

  const { data, error, isSlow, reload } = useRequest(ask);

  function select(next: RowSelection): void {
    selection.value = next;
    pages.value = 1;
    void reload();
  }

  function showMore(): void {
    pages.value++;
    void reload();
  }

  const hasMore = computed(() => (data.value?.nextCursor ?? null) !== null);
  return { selection, select, data, error, isSlow, reload, hasMore, showMore };
}

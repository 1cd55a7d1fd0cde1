// The requests that an endpoint keeps: a page of them, fetched again for another filter, and more on request.
import { computed, ref } from 'vue';
import type { KeptFilter } from '../../lib/console/index.js';
import type { KeptRequest, KeptRequestChange, KeptRequests } from '../../lib/contract/index.js';
import { studio } from '../studio.js';
import { useRequest } from '../use-request.js';

const PAGE = 50;

export function useKept(deploymentId: string) {
  const filter = ref<KeptFilter>(undefined);
  const pages = ref(1);

  async function ask(signal: AbortSignal): Promise<KeptRequests> {
    const asked = { mark: filter.value, limit: PAGE };
    let found = await studio.listKeptRequests(deploymentId, asked, { signal });
    for (let page = 1; page < pages.value && found.nextCursor !== null; page++) {
      const next = await studio.listKeptRequests(
        deploymentId,
        { ...asked, cursor: found.nextCursor },
        { signal },
      );
      found = { ...next, requests: [...found.requests, ...next.requests] };
    }
    return found;
  }

  const { data, error, isSlow, reload } = useRequest(ask);

  function select(next: KeptFilter): void {
    filter.value = next;
    pages.value = 1;
    void reload();
  }

  function showMore(): void {
    pages.value++;
    void reload();
  }

  /** The changed one stays in the list, whatever the filter, until the list is fetched again. */
  async function change({ id }: KeptRequest, changed: KeptRequestChange): Promise<void> {
    const { request } = await studio.updateKeptRequest(deploymentId, id, changed);
    if (!data.value) return;
    const requests = data.value.requests.map(one => (one.id === id ? request : one));
    data.value = { ...data.value, requests };
  }

  async function remove({ id }: KeptRequest): Promise<void> {
    await studio.deleteKeptRequest(deploymentId, id);
    await reload();
  }

  const hasMore = computed(() => (data.value?.nextCursor ?? null) !== null);
  return { filter, select, data, error, isSlow, reload, hasMore, showMore, change, remove };
}

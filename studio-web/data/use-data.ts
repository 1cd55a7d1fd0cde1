// What the trainer would learn: the report, and the rows with a finding, page by page. Reading the trainer's files takes
// a while, so it is done once when the page opens and when asked for.
import { computed, ref } from 'vue';
import type { DataFinding, DataPreview } from '../../lib/contract/index.js';
import { studio } from '../studio.js';
import { useRequest } from '../use-request.js';

const PAGE = 20;
/** The first time, the project is built and its data uploaded. */
const PATIENCE_MS = 600_000;

/** The rows are those of `finding`, also while others are asked for. */
type ShownData = DataPreview & { finding: DataFinding | null };

export function useData() {
  const finding = ref<DataFinding | null>(null);
  const pages = ref(1);
  const measures = ref(false);
  let isFresh = true;

  async function ask(signal: AbortSignal): Promise<ShownData> {
    const asked = finding.value;
    const request = { finding: asked ?? undefined, limit: PAGE, tokens: true };
    const first = { ...request, reload: isFresh, measure: measures.value };
    let found = await studio.previewData(first, { signal });
    isFresh = false;
    for (let page = 1; page < pages.value && found.nextCursor !== null; page++) {
      const next = await studio.previewData({ ...request, cursor: found.nextCursor }, { signal });
      found = { ...next, rows: [...found.rows, ...next.rows], measurement: found.measurement };
    }
    return { ...found, finding: asked, measurement: found.measurement ?? data.value?.measurement ?? null };
  }

  const { data, error, isSlow, reload } = useRequest(ask, { noAnswerMs: PATIENCE_MS });

  function select(name: DataFinding | null): void {
    finding.value = name;
    pages.value = 1;
    void reload();
  }

  function showMore(): void {
    pages.value++;
    void reload();
  }

  async function measure(): Promise<void> {
    measures.value = true;
    await reload();
    measures.value = false;
  }

  function refresh(): void {
    isFresh = true;
    if (data.value) data.value = { ...data.value, measurement: null };
    void reload();
  }

  const hasMore = computed(() => (data.value?.nextCursor ?? null) !== null);
  return { finding, select, data, error, isSlow, refresh, hasMore, showMore, measure, measures };
}

// The cloud's base model, which it tells without an identity or a project.
import { computed } from 'vue';
import { usePoll } from './live.js';
import { studio } from './studio.js';
import { useRequest } from './use-request.js';

export function useBaseModel() {
  const { data, reload } = useRequest(signal => studio.getBaseModel({ signal }));
  usePoll(reload);
  return computed(() => data.value?.baseModel ?? null);
}

// The cloud's base model, which it tells without an identity or a project.
import { computed, watch } from 'vue';
import { identity, noticeModel } from './cloud.js';
import { usePoll, useReturn } from './live.js';
import { studio } from './studio.js';
import { useRequest } from './use-request.js';

/**
 * `polls`: for what changes while the cloud runs. Asks again anyway when the cloud is back, perhaps with another model, and
 * with the project: a cloud elsewhere is not asked before.
 */
export function useBaseModel({ polls }: { polls: boolean }) {
  const { data, reload } = useRequest(signal => studio.getBaseModel({ signal }));
  usePoll(() => {
    if (polls) void reload();
  });
  useReturn(reload);
  watch(
    () => identity.value?.projectSlug,
    (now, before) => {
      if (now && before === null) void reload();
    },
  );
  watch(data, answer => noticeModel(answer?.baseModel?.name));
  return computed(() => data.value?.baseModel ?? null);
}

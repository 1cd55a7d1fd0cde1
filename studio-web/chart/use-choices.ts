// Chart settings. Stored in this browser for all jobs (or under `storageKey`) and in the URL, which wins.
import { type Ref, ref, watch } from 'vue';
import { type ChartChoices, readChoices, writeChoices } from '../../lib/console/index.js';
import { recall, remember } from '../stored.js';
import { showInAddress, useLinksHere } from '../use-location.js';

const RUN_CHARTS = 'svc-chart';

export function useChoices(storageKey = RUN_CHARTS): Ref<ChartChoices> {
  const choices = ref(readChoices(recall(storageKey) ?? '')) as Ref<ChartChoices>;
  const follow = () => {
    const query = window.location.hash.split('?')[1];
    if (query === undefined) showInAddress(writeChoices(choices.value));
    else choices.value = readChoices(query);
  };
  follow();
  useLinksHere(follow);
  watch(
    choices,
    now => {
      // A zoom range from one run means nothing in another.
      remember(storageKey, writeChoices({ ...now, zoom: null }));
      showInAddress(writeChoices(now));
    },
    { deep: true },
  );
  return choices;
}

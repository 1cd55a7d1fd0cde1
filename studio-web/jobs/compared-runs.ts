// The runs that are chosen in the jobs list to be compared; null while none can be chosen. Kept while the user looks at a
// job or the comparison and comes back.
import { shallowRef } from 'vue';

export const chosen = shallowRef<readonly string[] | null>(null);

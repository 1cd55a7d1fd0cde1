// The search and filter of the jobs list, kept while the user looks at a job and comes back.
import { reactive } from 'vue';
import type { StatusFilter } from '../../lib/console/index.js';

export const query = reactive<{ search: string; status: StatusFilter }>({ search: '', status: 'all' });

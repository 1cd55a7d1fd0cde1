// The state of a job's page besides the job: the chart's mode, its cursor, and Studio's last error.
import {
  initialJobView,
  type JobAction,
  type JobView,
  reduceJobView,
} from '../../../../lib/console/index.js';
import { type Store, withPart } from '../../core/store.js';

export interface JobPageState {
  readonly id: string;
  readonly job: JobView;
  /** The step at the chart's cursor; null until it is moved. */
  readonly cursor: number | null;
  readonly isAdvanced: boolean;
  readonly isLog: boolean;
  readonly isSmooth: boolean;
  /** The current page, if not everything fits on one. */
  readonly page: number;
  readonly problem: string | null;
}

type JobPageAction =
  | { readonly type: 'opened'; readonly id: string }
  | { readonly type: 'job'; readonly action: JobAction }
  | { readonly type: 'cursor'; readonly step: number }
  | { readonly type: 'toggle'; readonly what: 'isAdvanced' | 'isLog' | 'isSmooth' }
  | { readonly type: 'page'; readonly page: number }
  | { readonly type: 'problem'; readonly problem: string | null };

export type JobPageStore = Store<JobPageState, JobPageAction>;

export const initialJobPage: JobPageState = {
  id: '',
  job: initialJobView,
  cursor: null,
  isAdvanced: false,
  isLog: false,
  isSmooth: false,
  page: 0,
  problem: null,
};

export function reduceJobPage(state: JobPageState, action: JobPageAction): JobPageState {
  switch (action.type) {
    case 'opened':
      return { ...state, id: action.id, job: initialJobView, cursor: null, page: 0, problem: null };
    case 'job':
      return withPart(state, 'job', reduceJobView(state.job, action.action));
    case 'cursor':
      return { ...state, cursor: action.step };
    case 'toggle':
      return { ...state, [action.what]: !state[action.what] };
    case 'page':
      return { ...state, page: action.page };
    case 'problem':
      return withPart(state, 'problem', action.problem);
  }
}

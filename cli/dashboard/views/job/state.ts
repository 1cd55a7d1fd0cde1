// The state of a job's page besides the job: how its chart and its log are shown, the cursor, and Studio's last error.
import {
  type ChartChoices,
  type ChartSwitch,
  initialChoices,
  initialJobView,
  initialLogChoices,
  type JobAction,
  type JobView,
  type LogChoices,
  reduceJobView,
} from '../../../../lib/console/index.js';
import { type Store, withPart } from '../../core/store.js';

export interface JobPageState {
  readonly id: string;
  readonly job: JobView;
  /** The step at the chart's cursor; null until it is moved. */
  readonly cursor: number | null;
  readonly isAdvanced: boolean;
  readonly choices: ChartChoices;
  /** What the chart shows: `loss`, or a metric. */
  readonly metric: string;
  readonly logChoices: LogChoices;
  /** The current page, if not everything fits on one. */
  readonly page: number;
  readonly problem: string | null;
}

type JobPageAction =
  | { readonly type: 'opened'; readonly id: string }
  | { readonly type: 'job'; readonly action: JobAction }
  | { readonly type: 'cursor'; readonly step: number }
  | { readonly type: 'toggledAdvanced' }
  | { readonly type: 'toggle'; readonly what: ChartSwitch }
  | { readonly type: 'chose'; readonly choices: Partial<ChartChoices> }
  | { readonly type: 'metric'; readonly metric: string }
  | { readonly type: 'log'; readonly choices: Partial<LogChoices> }
  | { readonly type: 'page'; readonly page: number }
  | { readonly type: 'problem'; readonly problem: string | null };

export type JobPageStore = Store<JobPageState, JobPageAction>;

export const initialJobPage: JobPageState = {
  id: '',
  job: initialJobView,
  cursor: null,
  isAdvanced: false,
  choices: initialChoices,
  metric: 'loss',
  logChoices: initialLogChoices,
  page: 0,
  problem: null,
};

export function reduceJobPage(state: JobPageState, action: JobPageAction): JobPageState {
  switch (action.type) {
    case 'opened':
      return openedPage(state, action.id);
    case 'job':
      return withPart(state, 'job', reduceJobView(state.job, action.action));
    case 'cursor':
      return { ...state, cursor: action.step };
    case 'toggledAdvanced':
      return { ...state, isAdvanced: !state.isAdvanced };
    case 'toggle':
      return { ...state, choices: { ...state.choices, [action.what]: !state.choices[action.what] } };
    case 'chose':
      return { ...state, choices: { ...state.choices, ...action.choices } };
    case 'metric':
      return { ...state, metric: action.metric };
    case 'log':
      return { ...state, logChoices: { ...state.logChoices, ...action.choices } };
    case 'page':
      return { ...state, page: action.page };
    case 'problem':
      return withPart(state, 'problem', action.problem);
  }
}

/** How things are shown stays; what belongs to one job does not. */
function openedPage(state: JobPageState, id: string): JobPageState {
  const { choices, logChoices } = state;
  return {
    ...state,
    id,
    job: initialJobView,
    cursor: null,
    page: 0,
    problem: null,
    metric: 'loss',
    choices: { ...choices, zoom: null },
    logChoices: { ...logChoices, type: null, search: '' },
  };
}

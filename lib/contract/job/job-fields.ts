// Every field of a job, defined once. Responses, database columns, lists, searches, forms and tables are derived from it.
// Free of schemas, so that browser pages and the command line's help can load it; job.ts adds those.
import { orList } from '../vocabulary.js';

/** The type of a field: determines its schema, storage and display. */
export type FieldKind =
  | 'id'
  | 'text'
  | 'status'
  | 'time'
  | 'count'
  | 'loss'
  | 'reward'
  | 'score'
  | 'tags'
  | 'group'
  | 'origin';

export interface JobField {
  readonly kind: FieldKind;
  readonly label: string;
  /** The value if a response lacks it, as those of other clouds may. If null, its column may be null, too. */
  readonly missing?: null | string | number | readonly never[];
  /** Where the cloud's database has it. Without one, the cloud computes it. */
  readonly column?: string;
  /** What commands, searches and addresses call one value, if not by the field's name. */
  readonly word?: string;
  /** People can edit it, and give it to a run that they start or import. */
  readonly edit?: {
    /** Of a text, or of each tag. */
    readonly longest: number;
    /** How many tags. */
    readonly most?: number;
    /** The dashboard's key for it. */
    readonly key: string;
    readonly hint?: string;
    /** May have several lines. */
    readonly isLong?: true;
  };
  /** A trainer gives it to each of its runs, with the option of this name. */
  readonly ofTrainer?: true;
  /** Jobs are found by its word, a colon and a part of the value. */
  readonly search?: true;
  /**
   * Lists can be narrowed to one of its values, for which they have a control of its own, or to any number: both faces offer
   * those of the listed jobs, the dashboard with this key.
   */
  readonly filter?: 'one' | { readonly key: string };
  /** Its name in `svc jobs list --sort`. */
  readonly sort?: string;
  /** Browser and dashboard offer it as a column of their lists; `svc jobs list` has it when it sorts by it. */
  readonly isOffered?: true;
  /** `svc jobs list` has a column for it if any job has a value. */
  readonly isOccasional?: true;
  /** Its column title for completed jobs only. */
  readonly final?: string;
  /** Shown among the facts on a job's page, before those of the run. */
  readonly isFact?: true;
}

const offered = { missing: null, isOffered: true } as const;

export const JOB_FIELDS = {
  id: { kind: 'id', label: 'ID', column: 'id' },
  name: { kind: 'text', label: 'Name', column: 'name', edit: { longest: 100, key: 'N' }, sort: 'name' },
  status: { kind: 'status', label: 'Status', column: 'status', filter: 'one', sort: 'status' },
  error: { kind: 'text', label: 'Error', missing: null, column: 'error' },
  createdAt: { kind: 'time', label: 'Created', column: 'created_at' },
  /** Sorted by the duration from that time until the end, or until now. */
  startedAt: { kind: 'time', label: 'Started', missing: null, column: 'started_at', sort: 'duration' },
  completedAt: { kind: 'time', label: 'Ended', missing: null, column: 'completed_at' },
  orgId: { kind: 'text', label: 'Organization', missing: '', column: 'org_id' },
  projectId: { kind: 'text', label: 'Project', missing: '', column: 'project_id' },
  step: { kind: 'count', label: 'Step', missing: null, column: 'step' },
  totalSteps: { kind: 'count', label: 'Steps', missing: null, column: 'total_steps' },
  artifactCount: { kind: 'count', label: 'Artifacts', missing: 0, column: 'artifact_count' },
  /** What a queued or running job is waiting for, as a sentence; null if it is not waiting. */
  waitingFor: { kind: 'text', label: 'Waiting', missing: null, isOccasional: true },
  /** Last training loss, last evaluation loss, and the lowest of each. */
  loss: { ...offered, kind: 'loss', label: 'Loss', column: 'loss', sort: 'loss', final: 'Final loss' },
  evalLoss: {
    ...offered,
    kind: 'loss',
    label: 'Eval loss',
    column: 'eval_loss',
    sort: 'eval-loss',
    final: 'Final eval loss',
  },
  bestLoss: { ...offered, kind: 'loss', label: 'Best loss', column: 'best_loss', sort: 'best-loss' },
  bestEvalLoss: {
    ...offered,
    kind: 'loss',
    label: 'Best eval loss',
    column: 'best_eval_loss',
    sort: 'best-eval-loss',
  },
  /** Where a run learns from rewards: the last mean reward of a step, that of held-out rows, and the highest of each. */
  reward: {
    ...offered,
    kind: 'reward',
    label: 'Reward',
    column: 'reward',
    sort: 'reward',
    final: 'Final reward',
  },
  evalReward: {
    ...offered,
    kind: 'reward',
    label: 'Held-out reward',
    column: 'eval_reward',
    sort: 'eval-reward',
    final: 'Final held-out reward',
  },
  bestReward: {
    ...offered,
    kind: 'reward',
    label: 'Best reward',
    column: 'best_reward',
    sort: 'best-reward',
  },
  bestEvalReward: {
    ...offered,
    kind: 'reward',
    label: 'Best held-out reward',
    column: 'best_eval_reward',
    sort: 'best-eval-reward',
  },
  /** Set if the trainer has chosen a score for picking the best adapter. */
  bestScore: { ...offered, kind: 'score', label: 'Best score', column: 'best_score', sort: 'best-score' },
  /** The trainer's name, which an endpoint may follow: the job's first name, unless it was given another. */
  trainer: { kind: 'text', label: 'Trainer', missing: '', column: 'trainer', isFact: true },
  /** Where it was trained, if not by svc: it has no adapter here. */
  origin: { kind: 'origin', label: 'Origin', missing: null, column: 'origin', isOccasional: true },
  /** The sweep that it belongs to. */
  group: {
    kind: 'group',
    label: 'Sweep',
    missing: null,
    column: 'job_group',
    filter: 'one',
    isOccasional: true,
    isFact: true,
  },
  tags: {
    kind: 'tags',
    label: 'Tags',
    missing: [],
    column: 'tags',
    word: 'tag',
    edit: { longest: 50, most: 20, key: '#', hint: 'Separated by commas.' },
    ofTrainer: true,
    search: true,
    filter: { key: 't' },
    isOccasional: true,
    isFact: true,
  },
  note: {
    kind: 'text',
    label: 'Note',
    missing: null,
    column: 'note',
    edit: { longest: 2000, key: 'n', isLong: true },
    search: true,
    isOffered: true,
    isFact: true,
  },
} as const satisfies Readonly<Record<string, JobField>>;

type Fields = typeof JOB_FIELDS;
export type JobFieldName = keyof Fields;
type With<Property extends string> = {
  [Name in JobFieldName]: Fields[Name] extends Readonly<Record<Property, unknown>> ? Name : never;
}[JobFieldName];
export type StoredField = With<'column'>;
export type EditableField = With<'edit'>;
export type FilterField = With<'filter'>;

/** The fields with a certain property, in order. */
export function jobFieldsWith<Property extends keyof JobField>(property: Property) {
  return Object.entries<JobField>(JOB_FIELDS).flatMap(([name, field]) =>
    field[property] === undefined ? [] : { name, word: name, ...field },
  ) as ({ readonly name: With<Property>; readonly word: string } & JobField &
    Required<Pick<JobField, Property>>)[];
}

/** `name, tags or note`: what people can edit. */
export const EDITABLE_WORDS = orList(jobFieldsWith('edit').map(({ label }) => label.toLowerCase()));

/** Sort keys of `svc jobs list`. The first is the default order of responses. */
export const JOB_SORTS: readonly string[] = ['created', ...jobFieldsWith('sort').map(({ sort }) => sort)];

type Measured = 'evalReward' | 'reward' | 'evalLoss' | 'loss';

/** A field with a run's latest value, and the one with the best so far. */
interface Measure<Name extends Measured = Measured> {
  readonly name: Name;
  readonly best: `best${Capitalize<Name>}`;
  /** In texts: `held-out reward`. */
  readonly words: string;
  readonly higher: boolean;
}

const measure = <Name extends Measured>(name: Name, best: Measure<Name>['best']): Measure<Name> => ({
  name,
  best,
  words: JOB_FIELDS[name].label.toLowerCase(),
  higher: JOB_FIELDS[name].kind === 'reward',
});

type Measures = readonly [heldOut: Measure, training: Measure];

/** What runs are judged by if their trainer chose no score. That of held-out rows counts if there is one. */
export const MEASURES: { readonly rewards: Measures; readonly losses: Measures } = {
  rewards: [measure('evalReward', 'bestEvalReward'), measure('reward', 'bestReward')],
  losses: [measure('evalLoss', 'bestEvalLoss'), measure('loss', 'bestLoss')],
};

/** What the answers earn if a run learns from rewards: its loss says little. `runs`: one, or several that are compared. */
export function measuresOf(...runs: readonly { readonly reward?: number | null | undefined }[]): Measures {
  return runs.some(({ reward = null }) => reward !== null) ? MEASURES.rewards : MEASURES.losses;
}

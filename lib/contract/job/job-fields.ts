// Every field of a job, defined once. Responses, database columns, lists, searches, forms and tables are derived from it.
// Free of schemas, so that browser pages and the command line's help can load it; job.ts adds those.

/** The type of a field: determines its schema, storage and display. */
export type FieldKind =
  | 'id'
  | 'text'
  | 'status'
  | 'time'
  | 'count'
  | 'loss'
  | 'score'
  | 'tags'
  | 'group'
  | 'origin';

export interface JobField {
  readonly kind: FieldKind;
  readonly label: string;
  /** The value if a response lacks it, as those of other clouds may. If null, its column may be null, too. */
  readonly missing?: null | string | number | readonly never[];
  /** If missing, the cloud computes it. */
  readonly column?: string;
  /** People can edit it. */
  readonly edit?: { readonly hint?: string; readonly isLong?: true };
  /** The search prefix: jobs are found by this word, a colon and the value. */
  readonly search?: string;
  /** Its name in `svc jobs list --sort`. */
  readonly sort?: string;
  /** A column that users can add to job lists, or one that the command line shows if any job has a value. */
  readonly listed?: 'on request' | 'if any';
  /** Its column title for completed jobs only. */
  readonly final?: string;
  /** What the run has achieved so far, or at its end. */
  readonly isResult?: true;
  /** Shown among the facts on a job's page, before those of the run. */
  readonly isFact?: true;
}

const result = { missing: null, listed: 'on request', isResult: true } as const;

export const JOB_FIELDS = {
  id: { kind: 'id', label: 'ID', column: 'id' },
  name: { kind: 'text', label: 'Name', column: 'name', edit: {}, sort: 'name' },
  status: { kind: 'status', label: 'Status', column: 'status', sort: 'status' },
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
  waitingFor: { kind: 'text', label: 'Waiting', missing: null, listed: 'if any' },
  /** Last training loss, last evaluation loss, and the lowest of each. */
  loss: { ...result, kind: 'loss', label: 'Loss', column: 'loss', sort: 'loss', final: 'Final loss' },
  evalLoss: {
    ...result,
    kind: 'loss',
    label: 'Eval loss',
    column: 'eval_loss',
    sort: 'eval-loss',
    final: 'Final eval loss',
  },
  bestLoss: { ...result, kind: 'loss', label: 'Best loss', column: 'best_loss', sort: 'best-loss' },
  bestEvalLoss: {
    ...result,
    kind: 'loss',
    label: 'Best eval loss',
    column: 'best_eval_loss',
    sort: 'best-eval-loss',
  },
  /** Set if the trainer has chosen a score for picking the best adapter. */
  bestScore: { ...result, kind: 'score', label: 'Best score', column: 'best_score', sort: 'best-score' },
  /** The trainer's name, which an endpoint may follow: the job's first name, unless it was given another. */
  trainer: { kind: 'text', label: 'Trainer', missing: '', column: 'trainer', isFact: true },
  /** Where it was trained, if not by svc: it has no adapter here. */
  origin: { kind: 'origin', label: 'Origin', missing: null, column: 'origin', listed: 'if any' },
  /** The sweep that it belongs to. */
  group: {
    kind: 'group',
    label: 'Sweep',
    missing: null,
    column: 'job_group',
    listed: 'if any',
    isFact: true,
  },
  tags: {
    kind: 'tags',
    label: 'Tags',
    missing: [],
    column: 'tags',
    edit: { hint: 'Separated by commas.' },
    search: 'tag',
    listed: 'if any',
    isFact: true,
  },
  note: {
    kind: 'text',
    label: 'Note',
    missing: null,
    column: 'note',
    edit: { isLong: true },
    search: 'note',
    listed: 'on request',
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

/** The fields with a certain property, in order. */
export function jobFieldsWith<Property extends keyof JobField>(property: Property) {
  return Object.entries<JobField>(JOB_FIELDS).flatMap(([name, field]) =>
    field[property] === undefined ? [] : { name, ...field },
  ) as ({ readonly name: With<Property> } & JobField & Required<Pick<JobField, Property>>)[];
}

/** Sort keys of `svc jobs list`. The first is the default order of responses. */
export const JOB_SORTS: readonly string[] = ['created', ...jobFieldsWith('sort').map(({ sort }) => sort)];

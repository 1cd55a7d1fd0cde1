// Every field of a job, once. Answers, columns of the database, lists, searches, forms and tables are made from it. Without
// schemas, so that pages in the browser and the command line's help can read it; job.ts adds those.

/** What a field holds: decides its schema, how it is stored, and how it reads. */
export type FieldKind = 'id' | 'text' | 'status' | 'time' | 'count' | 'loss' | 'score' | 'tags' | 'group';

export interface JobField {
  readonly kind: FieldKind;
  readonly label: string;
  /** The value of an answer that lacks it, as those of other clouds may. If null, its column may be null, too. */
  readonly missing?: null | string | number | readonly never[];
  /** Without one, the cloud computes it. */
  readonly column?: string;
  /** People may change it. */
  readonly edit?: { readonly hint?: string; readonly isLong?: true };
  /** Jobs are found by it after this word and a colon. */
  readonly search?: string;
  /** What `svc jobs list --sort` calls it. */
  readonly sort?: string;
  /** A column that the user may add to lists of jobs, or one of the command line wherever any job has a value. */
  readonly listed?: 'on request' | 'if any';
  /** Its title in a column of completed jobs alone. */
  readonly final?: string;
  /** What the run has achieved so far, or at its end. */
  readonly isResult?: true;
  /** A job's page has it among the facts, before those of the run. */
  readonly isFact?: true;
}

const result = { missing: null, listed: 'on request', isResult: true } as const;

export const JOB_FIELDS = {
  id: { kind: 'id', label: 'ID', column: 'id' },
  name: { kind: 'text', label: 'Name', column: 'name', edit: {}, sort: 'name' },
  status: { kind: 'status', label: 'Status', column: 'status', sort: 'status' },
  error: { kind: 'text', label: 'Error', missing: null, column: 'error' },
  createdAt: { kind: 'time', label: 'Created', column: 'created_at' },
  /** Sorted by the time from then on, until the end or now. */
  startedAt: { kind: 'time', label: 'Started', missing: null, column: 'started_at', sort: 'duration' },
  completedAt: { kind: 'time', label: 'Ended', missing: null, column: 'completed_at' },
  orgId: { kind: 'text', label: 'Organization', missing: '', column: 'org_id' },
  projectId: { kind: 'text', label: 'Project', missing: '', column: 'project_id' },
  step: { kind: 'count', label: 'Step', missing: null, column: 'step' },
  totalSteps: { kind: 'count', label: 'Steps', missing: null, column: 'total_steps' },
  artifactCount: { kind: 'count', label: 'Artifacts', missing: 0, column: 'artifact_count' },
  /** What a queued or running job is waiting for, as a sentence; null if it is not waiting. */
  waitingFor: { kind: 'text', label: 'Waiting', missing: null, listed: 'if any' },
  /** The last training loss, the last evaluation loss, and the lowest of each. */
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
  /** Where the trainer has chosen a score to find the best adapter by. */
  bestScore: { ...result, kind: 'score', label: 'Best score', column: 'best_score', sort: 'best-score' },
  /** What an endpoint may follow: the job's first name, unless it was given another. */
  trainer: { kind: 'text', label: 'Trainer', missing: '', column: 'trainer', isFact: true },
  /** The sweep that it is one run of. */
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

/** The fields that have a property, in their order. */
export function jobFieldsWith<Property extends keyof JobField>(property: Property) {
  return Object.entries<JobField>(JOB_FIELDS).flatMap(([name, field]) =>
    field[property] === undefined ? [] : { name, ...field },
  ) as ({ readonly name: With<Property> } & JobField & Required<Pick<JobField, Property>>)[];
}

/** What `svc jobs list` can sort by. The first is the order of answers. */
export const JOB_SORTS: readonly string[] = ['created', ...jobFieldsWith('sort').map(({ sort }) => sort)];

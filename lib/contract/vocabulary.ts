// The fixed words of the wire as plain values, for browsers that use the contract without its schemas.

export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;

export type JobStatus = (typeof JOB_STATUSES)[number];

const FINAL_STATUSES: ReadonlySet<JobStatus> = new Set(['completed', 'failed', 'cancelled']);

export function isFinalStatus(status: JobStatus): boolean {
  return FINAL_STATUSES.has(status);
}

/** The event names of a stream; others are ignored. */
export const JOB_EVENT_TYPES = [
  'training.preparing',
  'training.started',
  'training.log',
  'checkpoint.saved',
  'sample.generated',
  'score.recorded',
  'training.completed',
  'training.failed',
  'end',
] as const;

/** Of a base model's weights. */
export const WEIGHT_PRECISIONS = ['f32', 'int8'] as const;

export const AUTH_MODES = ['fixed_api_key', 'none'] as const;

export type AuthMode = (typeof AUTH_MODES)[number];

/** What people make of an answer that an endpoint has kept. */
export const KEPT_MARKS = ['good', 'bad', 'corrected'] as const;

export type KeptMark = (typeof KEPT_MARKS)[number];

/** What the rows of a job are sorted by. */
export const ROW_LOSS_SORTS = ['last', 'first', 'mean', 'rise'] as const;

export type RowLossSort = (typeof ROW_LOSS_SORTS)[number];

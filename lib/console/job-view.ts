// The state of a job's page: a reducer over its event stream and polls of the job. It knows nothing about connections
// or rendering.
import { type EventFrame, isReplayed } from '../client/index.js';
import {
  isFinalStatus,
  JOB_STATUSES,
  type JobStatus,
  type JobSummary,
  type LongRows,
} from '../contract/index.js';
import { type EventEffect, isKnownEvent, NO_REASON, readEvent } from './event-message.js';
import type { RowsRead } from './row-reading.js';
import { addSample, type Samples } from './samples.js';
import { appendPoint, emptySeries, type MetricSeries } from './series.js';

/** The log keeps only the most recent entries; chart and statistics keep every point. */
export const LOG_LIMIT = 500;

/** Told again and again while it goes on: only the last one says anything. */
const PROGRESS = 'training.preparing';

export interface LogEntry {
  /** Unique and increasing within a view. */
  readonly key: number;
  readonly event: string;
  readonly message: string;
}

export interface JobView {
  /** The job as of the last poll. */
  readonly polled: JobSummary | null;
  /** The last status from the stream; null before there was one. */
  readonly streamed: JobStatus | null;
  readonly error: string | null;
  /** Known once training has started. */
  readonly totalSteps: number | null;
  /** How many rows have been read, if reported. */
  readonly preparing: RowsRead | null;
  /** Rows that are too long, if any were reported. */
  readonly tooLong: LongRows | null;
  /** The precision of the base model's weights, if reported. */
  readonly weights: string | null;
  /** Known once training has completed. */
  readonly artifactCount: number | null;
  /** The adapter was trained elsewhere. */
  readonly imported: boolean;
  /** The stream broke off and no frame has arrived since. */
  readonly interrupted: boolean;
  /** The stream sent `end`; nothing follows. */
  readonly ended: boolean;
  /** The id of the last frame, to resume after. */
  readonly cursor: string;
  /** How many events were applied, including those no longer in the log. */
  readonly eventCount: number;
  readonly log: readonly LogEntry[];
  readonly training: MetricSeries;
  readonly evaluation: MetricSeries;
  readonly samples: Samples;
}

export type JobAction =
  | { readonly type: 'frame'; readonly frame: EventFrame }
  | { readonly type: 'interrupted' }
  | { readonly type: 'polled'; readonly job: JobSummary };

export const initialJobView: JobView = {
  polled: null,
  streamed: null,
  error: null,
  totalSteps: null,
  preparing: null,
  tooLong: null,
  weights: null,
  artifactCount: null,
  imported: false,
  interrupted: false,
  ended: false,
  cursor: '',
  eventCount: 0,
  log: [],
  training: emptySeries,
  evaluation: emptySeries,
  samples: [],
};

export function reduceJobView(view: JobView, action: JobAction): JobView {
  switch (action.type) {
    case 'frame':
      return takeFrame(view, action.frame);
    case 'interrupted':
      return view.ended || view.interrupted ? view : { ...view, interrupted: true };
    case 'polled':
      return { ...view, polled: action.job };
  }
}

/**
 * The status to show. The stream wins over polls, because a poll's answer may be older than the time it arrives. A poll
 * counts only if the stream has sent no status, has broken off or has ended.
 */
export function shownStatus(view: JobView): JobStatus | null {
  const { streamed, interrupted, ended } = view;
  const polled = view.polled?.status ?? null;
  if (streamed === null) return polled;
  if (polled !== null && isFinalStatus(polled) && !isFinalStatus(streamed) && (interrupted || ended))
    return polled;
  return streamed;
}

/** The text of the failure banner, if any. */
export function shownError(view: JobView): string | null {
  if (shownStatus(view) !== 'failed') return null;
  const told = (view.streamed === 'failed' ? view.error : null) ?? view.polled?.error ?? null;
  return told?.trim() === '' ? NO_REASON : told;
}

/** What the job is waiting for; null if it is not waiting or has ended. */
export function shownWait(view: JobView): string | null {
  const status = shownStatus(view);
  return status === null || isFinalStatus(status) ? null : (view.polled?.waitingFor ?? null);
}

/** No events are arriving, so poll instead: the answer says whether the job is waiting, and for what. */
export function isSilent(view: JobView, eventsBefore: number): boolean {
  return !view.ended && view.eventCount === eventsBefore;
}

function takeFrame(view: JobView, frame: EventFrame): JobView {
  if (!isKnownEvent(frame.event)) return view;
  const alive = view.interrupted ? { ...view, interrupted: false } : view;
  const effect = isReplayed(frame, view.cursor) ? null : readEvent(frame.event, frame.data);
  return effect ? applyEffect({ ...alive, cursor: frame.id || view.cursor }, frame.event, effect) : alive;
}

function applyEffect(view: JobView, event: string, effect: EventEffect): JobView {
  const { message, status, error, totalSteps, preparing, tooLong, weights } = effect;
  const { artifactCount, imported, point, ended } = effect;
  return {
    ...view,
    eventCount: view.eventCount + 1,
    streamed: isJobStatus(status) ? status : view.streamed,
    error: error === undefined ? view.error : error,
    totalSteps: totalSteps ?? view.totalSteps,
    preparing: preparing ?? view.preparing,
    tooLong: tooLong ?? view.tooLong,
    weights: weights ?? view.weights,
    artifactCount: artifactCount ?? view.artifactCount,
    imported: imported ?? view.imported,
    ended: ended ?? view.ended,
    log: message === null ? view.log : appendEntry(view, event, message),
    training: point?.loss === undefined ? view.training : appendPoint(view.training, point.step, point.loss),
    evaluation:
      point?.evalLoss === undefined
        ? view.evaluation
        : appendPoint(view.evaluation, point.step, point.evalLoss),
    samples: effect.sample ? addSample(view.samples, effect.sample) : view.samples,
  };
}

/** Progress that goes on is one entry, which changes. Keys have no gaps. */
function appendEntry({ log }: JobView, event: string, message: string): readonly LogEntry[] {
  const last = log.at(-1);
  if (last?.event === PROGRESS && event === PROGRESS) return [...log.slice(0, -1), { ...last, message }];
  const kept = log.length < LOG_LIMIT ? log : log.slice(log.length - LOG_LIMIT + 1);
  return [...kept, { key: last ? last.key + 1 : 0, event, message }];
}

function isJobStatus(status: string | undefined): status is JobStatus {
  return (JOB_STATUSES as readonly (string | undefined)[]).includes(status);
}

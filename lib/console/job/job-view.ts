// The state of a job's page: a reducer over its event stream and polls of the job. It knows nothing about
// connections or rendering.
import { isReplayed } from '../../client/index.js';
import type { RunDevice } from '../../contract/index.js';
import {
  isFinalStatus,
  JOB_STATUSES,
  type Job,
  type JobStatus,
  type JobSummary,
  LoggedSteps,
  type LogPart,
  type LongRows,
} from '../../contract/index.js';
import type { MetricTable } from '../chart/metrics.js';
import { emptySeries, type MetricSeries } from '../chart/series.js';
import type { RowsRead } from '../text/row-reading.js';
import { type EventEffect, isKnownEvent, NO_REASON, readEvent, type StartFacts } from './event-message.js';
import { collectEntries, type LogEntry } from './log-entries.js';
import { extendMeasurements, extendTimes, noTimes, type RunTimes } from './measurements.js';
import { addSample, type Samples } from './samples.js';
import { addScores, awaitsScores, type ScoreAt } from './scores.js';

export interface JobView {
  /** The job as of the last poll; a poll of the job itself brings its settings, too. */
  readonly polled: PolledJob | null;
  /** The last status from the stream; null before the first. */
  readonly streamed: JobStatus | null;
  readonly error: string | null;
  /** Set once training has started. */
  readonly totalSteps: number | null;
  /** How many rows have been read, if reported. */
  readonly preparing: RowsRead | null;
  /** Rows that are too long, if any were reported. */
  readonly tooLong: LongRows | null;
  /** The precision of the base model's weights, if reported. */
  readonly weights: string | null;
  /** What the run computes on, if reported. */
  readonly device: RunDevice | null;
  /** Set once training has completed. */
  readonly artifactCount: number | null;
  /** The adapter was imported. */
  readonly imported: boolean;
  /** The stream broke off and no frame has arrived since, even if it is open again. */
  readonly interrupted: boolean;
  /** The stream sent `end`; nothing follows. */
  readonly ended: boolean;
  /** The ID of the last frame, to resume after. */
  readonly cursor: string;
  /** How many events were applied, including those no longer in the log. */
  readonly eventCount: number;
  readonly log: readonly LogEntry[];
  readonly training: MetricSeries;
  readonly evaluation: MetricSeries;
  readonly samples: Samples;
  /** All other measurements, and what the x-axis can count. */
  readonly metrics: MetricTable;
  readonly started: StartFacts;
  readonly times: RunTimes;
}

type PolledJob = JobSummary & Partial<Pick<Job, 'config' | 'customSettings' | 'scores' | 'task'>>;

export type JobAction =
  | { readonly type: 'events'; readonly parts: readonly LogPart[] }
  | { readonly type: 'interrupted' }
  | { readonly type: 'polled'; readonly job: PolledJob };

export const initialJobView: JobView = {
  polled: null,
  streamed: null,
  error: null,
  totalSteps: null,
  preparing: null,
  tooLong: null,
  weights: null,
  device: null,
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
  metrics: {},
  started: {},
  times: noTimes,
};

export function reduceJobView(view: JobView, action: JobAction): JobView {
  switch (action.type) {
    case 'events':
      return takeEvents(view, action.parts);
    case 'interrupted':
      return view.ended || view.interrupted ? view : { ...view, interrupted: true };
    case 'polled':
      return { ...view, polled: action.job, metrics: addScores(view.metrics, action.job.scores ?? []) };
  }
}

/**
 * The status to show. The stream takes precedence over polls, because a poll's response may be outdated when
 * it arrives. A poll counts only if the stream has sent no status, was interrupted or has ended.
 */
export function shownStatus(view: JobView): JobStatus | null {
  const { streamed, interrupted, ended } = view;
  const polled = view.polled?.status ?? null;
  if (streamed === null) return polled;
  if (polled !== null && isFinalStatus(polled) && !isFinalStatus(streamed) && (interrupted || ended))
    return polled;
  return streamed;
}

/** The text of the error banner, if any. */
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

/**
 * Whether no events are arriving, so that polling makes sense: the response tells whether and why the job is
 * waiting, and no event that it waits no more. After the end, scores may still arrive.
 */
export function isSilent(view: JobView, eventsBefore: number, now = Date.now()): boolean {
  if (shownWait(view) !== null) return true;
  if (view.eventCount !== eventsBefore) return false;
  const { polled, metrics, totalSteps } = view;
  return !view.ended || (polled !== null && awaitsScores({ metrics, lastStep: totalSteps }, polled, now));
}

/** Applies a batch of events quickly, even 100,000 of them: creates snapshots only once, at the end. */
function takeEvents(view: JobView, parts: readonly LogPart[]): JobView {
  const draft: Draft = { ...view };
  const measurements = extendMeasurements(view);
  const entries = collectEntries(view.log);
  const times = extendTimes(view.times);
  const scores: ScoreAt[] = [];
  let isNews = false;
  for (const part of parts) {
    if (!isKnownEvent(part.event)) continue;
    isNews ||= draft.interrupted;
    draft.interrupted = false;
    if (part instanceof LoggedSteps) {
      const steps = part.after(Number(draft.cursor));
      if (steps.length === 0) continue;
      isNews = true;
      draft.cursor = steps.id;
      draft.eventCount += steps.length;
      measurements.addSteps(steps, draft.started, times);
      entries.addSteps(steps);
      continue;
    }
    const effect = isReplayed(part, draft.cursor) ? null : readEvent(part.event, part.data);
    if (!effect) continue;
    isNews = true;
    draft.cursor = part.id || draft.cursor;
    draft.eventCount++;
    applyEffect(draft, effect);
    if (effect.score) scores.push(effect.score);
    times.add(effect, measurements.lastStep);
    measurements.add(effect, draft.started, times.times);
    if (effect.message) entries.add(part.event, effect.at ?? null, effect.message);
  }
  if (!isNews) return view;
  const measured = measurements.build();
  const metrics = addScores(measured.metrics, scores);
  return { ...draft, ...measured, metrics, times: times.times, log: entries.build() };
}

type Draft = { -readonly [Field in keyof JobView]: JobView[Field] };

function applyEffect(draft: Draft, effect: EventEffect): void {
  // In a long log, most events only add points.
  if (effect.point) return;
  const { status, error, started } = effect;
  if (isJobStatus(status)) draft.streamed = status;
  if (error !== undefined) draft.error = error;
  draft.totalSteps = effect.totalSteps ?? draft.totalSteps;
  draft.preparing = effect.preparing ?? draft.preparing;
  draft.tooLong = effect.tooLong ?? draft.tooLong;
  draft.weights = effect.weights ?? draft.weights;
  draft.device = effect.device ?? draft.device;
  draft.artifactCount = effect.artifactCount ?? draft.artifactCount;
  draft.imported = effect.imported ?? draft.imported;
  draft.ended = effect.ended ?? draft.ended;
  if (started) draft.started = { ...draft.started, ...started };
  if (effect.sample) draft.samples = addSample(draft.samples, effect.sample);
}

function isJobStatus(status: string | undefined): status is JobStatus {
  return (JOB_STATUSES as readonly (string | undefined)[]).includes(status);
}

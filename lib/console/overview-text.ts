// What the overview says of runs and endpoints, in a few words each.
import type { JobSummary, Manifest, Overview } from '../contract/index.js';
import { formatBytes, formatCount, formatNumber, formatRelativeTime, plural } from './format.js';
import { scoreText } from './scores.js';

type Trainer = NonNullable<Manifest['trainer']>;

/** What a trainer does, before it has run: `svc/tiny · 100 steps · train.jsonl (12 kB)` */
export function trainerText({ model, maxSteps, data }: Trainer): string {
  const parts = [model, maxSteps === undefined ? '' : plural(maxSteps, 'step'), dataText(data)];
  return parts.filter(Boolean).join(' · ');
}

function dataText({ name = '', rows, bytes }: NonNullable<Trainer['data']> = {}): string {
  if (rows !== undefined) return plural(rows, 'row');
  return bytes === undefined ? name : `${name} (${formatBytes(bytes)})`;
}

/** Of a run under way: how far it is, or what it waits for. */
export function underWayText({ status, step, totalSteps, loss, waitingFor }: JobSummary): string {
  if (status === 'queued') return waitingFor ?? 'Waiting in the queue.';
  const done = formatCount(step ?? 0);
  const parts = [
    totalSteps === null ? `step ${done}` : `step ${done} of ${formatCount(totalSteps)}`,
    loss === null ? null : `loss ${formatNumber(loss)}`,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Of a run that ended: what it reached, and when. */
export function resultText(job: JobSummary, now: Date): string {
  const { status, error, completedAt } = job;
  const [reason = ''] = (error ?? '').split('\n');
  const parts = [
    status === 'failed' ? reason : bestText(job),
    completedAt === null ? '' : formatRelativeTime(completedAt, now),
  ];
  return parts.filter(Boolean).join(' · ');
}

function bestText({ bestScore, bestLoss, bestEvalLoss }: JobSummary): string {
  if (bestScore) return `best ${scoreText(bestScore)}`;
  if (bestEvalLoss !== null) return `best eval loss ${formatNumber(bestEvalLoss)}`;
  return bestLoss === null ? '' : `best loss ${formatNumber(bestLoss)}`;
}

type OverviewEndpoint = Overview['endpoints'][number];

export function requestsText({ enabled, requests, failed }: OverviewEndpoint): string {
  if (!enabled) return 'disabled';
  const text = `${plural(requests, 'request')} in the last hour`;
  return failed === 0 ? text : `${text}, ${formatCount(failed)} failed`;
}

/** Those that are asked most, then the newest. */
export function busiestEndpoints({ endpoints }: Overview, most: number): OverviewEndpoint[] {
  return endpoints.toSorted((a, b) => b.requests - a.requests).slice(0, most);
}

export function hasActivity({ running, recent, endpoints }: Overview): boolean {
  return running.length + recent.length + endpoints.length > 0;
}

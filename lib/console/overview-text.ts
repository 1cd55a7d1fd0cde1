// What the overview says of runs and endpoints, in a few words each.
import type { JobSummary, Overview } from '../contract/index.js';
import { formatCount, formatNumber, formatRelativeTime, plural } from './format.js';

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
export function resultText({ status, error, bestLoss, completedAt }: JobSummary, now: Date): string {
  const [reason = ''] = (error ?? '').split('\n');
  const parts = [
    status === 'failed' ? reason : bestLoss === null ? '' : `best loss ${formatNumber(bestLoss)}`,
    completedAt === null ? '' : formatRelativeTime(completedAt, now),
  ];
  return parts.filter(Boolean).join(' · ');
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

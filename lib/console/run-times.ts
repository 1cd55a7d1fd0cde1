// When a run began and was last heard of, by the times in its events.
import type { EventEffect } from './event-message.js';

/** Milliseconds since the epoch; null while no event has said. */
export interface RunTimes {
  /** The first time it started. */
  readonly first: number | null;
  /** The last event. */
  readonly last: number | null;
  /** The last time that it started or resumed, and the last step before. */
  readonly resumed: { readonly at: number; readonly step: number } | null;
}

export const noTimes: RunTimes = { first: null, last: null, resumed: null };

/** `lastStep`: the greatest step before this event. */
export function toTimes(
  times: RunTimes,
  { at, status, point, score }: Pick<EventEffect, 'at' | 'status' | 'point' | 'score'>,
  lastStep: number | null,
): RunTimes {
  const now = at === undefined ? Number.NaN : Date.parse(at);
  // A score may come long after the run.
  if (Number.isNaN(now) || score) return times;
  const isStart = status === 'running';
  if (!isStart && !point) return { ...times, last: now };
  return {
    first: times.first ?? now,
    last: now,
    resumed: isStart || !times.resumed ? { at: now, step: lastStep ?? 0 } : times.resumed,
  };
}

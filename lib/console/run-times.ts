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

type Draft = { -readonly [Field in keyof RunTimes]: RunTimes[Field] };

/** Takes in many events without a copy for each. */
export interface TimesBuilder {
  readonly times: RunTimes;
  /** `lastStep`: the greatest step before this event. */
  add(effect: Pick<EventEffect, 'at' | 'status' | 'point' | 'score'>, lastStep: number | null): void;
  /** A step at a time in milliseconds. */
  addStep(now: number, lastStep: number | null): void;
}

export function extendTimes(before: RunTimes): TimesBuilder {
  const times: Draft = { ...before };
  function addStep(now: number, lastStep: number | null): void {
    times.last = now;
    times.first ??= now;
    times.resumed ??= { at: now, step: lastStep ?? 0 };
  }
  return {
    times,
    addStep,
    add({ at, status, point, score }, lastStep) {
      const now = at === undefined ? Number.NaN : Date.parse(at);
      // A score may come long after the run.
      if (Number.isNaN(now) || score) return;
      if (status === 'running') times.resumed = null;
      if (status === 'running' || point) addStep(now, lastStep);
      else times.last = now;
    },
  };
}

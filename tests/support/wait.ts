// Waits for one thing in a test. A wait that fails says what it waited for, where, what came instead, and what else was known.
import { inspect } from 'node:util';
import type { Clock } from '../../lib/clock/index.js';
import { type CallPlace, indent } from './call-place.js';
import { PATIENCE_MS } from './patience.js';

export interface Waiting {
  /** Calls `look` whenever it may have happened, until the returned function is called: then nothing is polled. */
  on?: (look: () => void) => () => void;
  /** As long as this changes, something happens, and the wait goes on. */
  progress?: () => unknown;
  /** What else helps to understand a wait that failed: last events, last lines. */
  beside?: () => unknown;
}

export interface Wait extends Waiting {
  at: () => CallPlace;
  /** When the whole test ends, on the clock's `elapsed`: the wait ends before it. */
  testEndsAt?: number | undefined;
  /** Whether what may bring it about is at work, silent as it is. */
  isAtWork?: () => boolean;
}

export type WaitClock = Pick<Clock, 'elapsed' | 'after'>;

/** Before its test, so that the test says what it waited for. */
const BEFORE_TEST_END_MS = 500;
/** However late it began. */
const LEAST_MS = 200;

/** What has just happened is seen at once; what takes its time is looked at less often. */
const nextLookMs = (waitedMs: number) => Math.min(50, Math.max(1, waitedMs / 8));
/** Between two looks in any case: the progress, and what happened without being told. */
const LOOK_ANYWAY_MS = 1000;

type Outcome<T> = { value: T } | { error: unknown };

/** Attempts it until it succeeds, and returns its value. An attempt that lasts is not begun a second time. */
export async function wait<T>(attempt: () => Promise<T>, how: Wait, clock: WaitClock): Promise<T> {
  const began = clock.elapsed();
  const latest = Math.max(
    (how.testEndsAt ?? Number.POSITIVE_INFINITY) - BEFORE_TEST_END_MS,
    began + LEAST_MS,
  );
  let happenedAt = began;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let seen: string | undefined;
  let lookedAt = began;
  let error: unknown;
  let pending: Promise<Outcome<T>> | undefined;
  let askedAt = began;
  let wake = () => {};
  const stop = how.on?.(() => wake());
  const leftMs = () => Math.min(happenedAt + PATIENCE_MS, latest) - clock.elapsed();
  try {
    for (;;) {
      // Made before the attempt: what happens during it counts.
      const woken = new Promise<void>(resolve => {
        wake = resolve;
      });
      if (!pending) {
        askedAt = clock.elapsed();
        pending = outcomeOf(attempt);
      }
      const outcome = await orTime(pending, Math.min(leftMs(), LOOK_ANYWAY_MS), clock);
      if (outcome) {
        pending = undefined;
        if ('value' in outcome) return outcome.value;
        error = outcome.error;
      }
      if (how.progress && (leftMs() <= 0 || clock.elapsed() - checkedAt >= LOOK_ANYWAY_MS)) {
        checkedAt = clock.elapsed();
        const progress = await describe(how.progress, clock);
        if (progress !== seen) happenedAt = checkedAt;
        seen = progress;
      }
      if (how.isAtWork && clock.elapsed() - lookedAt >= LOOK_ANYWAY_MS) {
        lookedAt = clock.elapsed();
        if (how.isAtWork()) happenedAt = lookedAt;
      }
      const waitedMs = clock.elapsed() - began;
      if (leftMs() <= 0) {
        const isPending = pending && (error === undefined || clock.elapsed() - askedAt >= LOOK_ANYWAY_MS);
        const besides = how.beside && (await describe(how.beside, clock));
        const isCutShort = latest < happenedAt + PATIENCE_MS;
        throw toFailure(how.at(), { waitedMs, isCutShort, error, isPending, progress: seen, besides });
      }
      const nextMs = how.on ? LOOK_ANYWAY_MS : nextLookMs(waitedMs);
      if (!pending) await orTime(woken, Math.min(leftMs(), nextMs), clock);
    }
  } finally {
    stop?.();
  }
}

async function outcomeOf<T>(attempt: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await attempt() };
  } catch (error) {
    return { error };
  }
}

function orTime<T>(promise: Promise<T>, ms: number, clock: WaitClock): Promise<T | undefined> {
  return new Promise(resolve => {
    const timer = clock.after(ms, () => resolve(undefined));
    void promise.then(value => {
      timer.stop();
      resolve(value);
    });
  });
}

interface Known {
  waitedMs: number;
  /** By the end of its test: what came before may have taken too long. */
  isCutShort: boolean;
  error: unknown;
  /** Since a while. */
  isPending: boolean | undefined;
  progress: string | undefined;
  besides: string | undefined;
}

function toFailure({ place, source, frames }: CallPlace, known: Known): Error {
  const { waitedMs, isCutShort, error, isPending, progress, besides } = known;
  const until = isCutShort ? ', the last of its test,' : '';
  const parts = [
    `Waited ${Number((waitedMs / 1000).toFixed(1))} s${until} at ${place} for\n${indent(source)}`,
  ];
  if (isPending) parts.push('There was no answer.');
  if (error !== undefined) parts.push(`${isPending ? 'Before that' : 'Instead'}: ${messageOf(error)}`);
  if (progress !== undefined) parts.push(`Progress: ${progress}`);
  if (besides !== undefined) parts.push(`Beside it: ${besides}`);
  const { actual, expected } = (error ?? {}) as { actual?: unknown; expected?: unknown };
  const failure = Object.assign(new Error(parts.join('\n')), actual !== undefined && { actual, expected });
  failure.stack = `${failure.name}: ${failure.message}\n${frames}`;
  return failure;
}

/** What is only told along must neither hide the failure nor hang itself. */
async function describe(what: () => unknown, clock: WaitClock): Promise<string> {
  const outcome = await orTime(
    outcomeOf(async () => what()),
    LOOK_ANYWAY_MS,
    clock,
  );
  if (!outcome) return 'no answer';
  return 'value' in outcome ? show(outcome.value) : `could not be read: ${messageOf(outcome.error)}`;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : inspect(error));
const show = (value: unknown) =>
  typeof value === 'string' ? `\n${indent(value)}` : inspect(value, { depth: 5, breakLength: 100 });

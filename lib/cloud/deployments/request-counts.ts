// Counts each deployment's requests over the last hour, per minute and in memory: a restart resets them. Each of its targets
// has figures of its own.
import type { Clock } from '../../clock/index.js';
import type { ServedFigures, Target } from '../../contract/index.js';

/** Null for a request that was refused before a target was chosen. */
type Served = Target | null;

export interface RequestCounts {
  add(deploymentId: string, served: Served, isAnswered: boolean): void;
  /** One that was counted as answered failed in the middle. */
  addLateFailure(deploymentId: string, served: Served): void;
  addText(deploymentId: string, served: Served, text: TextFigures): void;
  /** In the last hour. */
  read(deploymentId: string): { requests: number; failed: number };
  /** What one of its targets did in the last hour. */
  readTarget(deploymentId: string, target: Target): ServedFigures;
  /** When the counting started, if that is less than an hour ago. */
  readStart(): { countedSince?: string };
}

interface TextFigures {
  ms: number;
  promptTokens: number;
  completionTokens: number;
}

const MINUTE_MS = 60_000;
const MINUTES = 60;

const COUNTED = ['requests', 'failed', 'answers', 'ms', 'promptTokens', 'completionTokens'] as const;

type Counted = Record<(typeof COUNTED)[number], number>;

const nothing = () => Object.fromEntries(COUNTED.map(name => [name, 0])) as Counted;

/** One slot per minute of the hour, reused in the next hour. */
type Minutes = { minute: number; counted: Counted }[];

export function createRequestCounts(clock: Clock): RequestCounts {
  const counts = new Map<string, Map<string, Minutes>>();
  const startedAt = clock.now();
  const minuteNow = () => Math.floor(clock.now() / MINUTE_MS);
  /** Minutes to come were counted before someone set the clock back. */
  const isRecent = ({ minute }: Minutes[number]) => {
    const now = minuteNow();
    return minute > now - MINUTES && minute <= now;
  };

  /** A new target takes the place of those that were not asked for an hour. */
  function minutesOf(deploymentId: string, served: Served): Minutes {
    const targets = counts.get(deploymentId) ?? new Map<string, Minutes>();
    counts.set(deploymentId, targets);
    const key = keyOf(served);
    const found = targets.get(key);
    if (found) return found;
    for (const [old, minutes] of targets) if (!minutes.some(isRecent)) targets.delete(old);
    const created: Minutes = [];
    targets.set(key, created);
    return created;
  }

  function count(deploymentId: string, served: Served, more: Partial<Counted>): void {
    const minutes = minutesOf(deploymentId, served);
    const minute = minuteNow();
    const place = minute % MINUTES;
    const slot = minutes[place]?.minute === minute ? minutes[place] : { minute, counted: nothing() };
    minutes[place] = slot;
    for (const name of COUNTED) slot.counted[name] += more[name] ?? 0;
  }

  function sum(all: readonly (Minutes | undefined)[]): Counted {
    const total = nothing();
    for (const minutes of all)
      for (const slot of minutes?.filter(isRecent) ?? [])
        for (const name of COUNTED) total[name] += slot.counted[name];
    return total;
  }

  return {
    add: (deploymentId, served, isAnswered) =>
      count(deploymentId, served, { requests: 1, failed: isAnswered ? 0 : 1 }),
    addLateFailure: (deploymentId, served) => count(deploymentId, served, { failed: 1 }),
    addText: (deploymentId, served, text) => count(deploymentId, served, { answers: 1, ...text }),
    read(deploymentId) {
      const { requests, failed } = sum([...(counts.get(deploymentId)?.values() ?? [])]);
      return { requests, failed };
    },
    readTarget(deploymentId, target) {
      const { ms, ...figures } = sum([counts.get(deploymentId)?.get(keyOf(target))]);
      return { ...figures, meanMs: figures.answers === 0 ? null : ms / figures.answers };
    },
    readStart: () =>
      clock.now() - startedAt < MINUTES * MINUTE_MS
        ? { countedSince: new Date(startedAt).toISOString() }
        : {},
  };
}

function keyOf(served: Served): string {
  if (!served) return '';
  if (served.kind === 'base_model') return `base ${served.baseModel}`;
  const { adapter } = served;
  return adapter.kind === 'final' ? adapter.jobId : `${adapter.jobId} ${adapter.step}`;
}

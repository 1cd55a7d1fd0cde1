// Announces committed changes of jobs to readers of their events and to clients that check whether their list is current.
// Remembers recent changes, so that clients reload only changed jobs.
import { randomUUID } from 'node:crypto';
import type { LogNews } from '../store/events.js';
import type { EventHub } from './event-hub.js';

export interface JobChanges {
  /** `news`: true if its log has changed, too. */
  announce(job: { id: string; project_id: string }, news?: LogNews): void;
  /** Announces a change that shows in every project's list. */
  announceAll(): void;
  /** Changes after each change to one of the project's jobs. */
  listVersion(projectId: string): string;
  /** The changes since a version; null if they are no longer remembered. */
  since(projectId: string, version: string): Announced | null;
}

export interface Announced {
  readonly ids: ReadonlySet<string>;
  /** Any job that has not ended may have changed. */
  readonly isForAll: boolean;
}

interface History {
  count: number;
  /** The most recently announced jobs, latest last. */
  readonly latest: { id: string; count: number }[];
  /** `latest` is complete for everything announced after this count. */
  knownSince: number;
}

const MOST_REMEMBERED = 10_000;

export function createJobChanges(hub: EventHub): JobChanges {
  /** Starts over when the cloud restarts. */
  const era = randomUUID().slice(0, 8);
  const histories = new Map<string, History>();
  let countOfAll = 0;

  function historyOf(projectId: string): History {
    const known = histories.get(projectId) ?? { count: 0, latest: [], knownSince: 0 };
    histories.set(projectId, known);
    return known;
  }

  return {
    announce({ id, project_id }, news) {
      remember(historyOf(project_id), id);
      if (news) hub.publish(id, news);
    },
    announceAll: () => void countOfAll++,
    listVersion: projectId => `${era}-${countOfAll}-${historyOf(projectId).count}`,
    since(projectId, version) {
      const [wasEra, all, count] = version.split('-');
      const { latest, knownSince } = historyOf(projectId);
      if (wasEra !== era || !(Number(count) >= knownSince)) return null;
      const first = latest.findLastIndex(entry => entry.count <= Number(count)) + 1;
      return {
        ids: new Set(latest.slice(first).map(({ id }) => id)),
        isForAll: Number(all) !== countOfAll,
      };
    },
  };
}

/** A job that is announced repeatedly takes one slot. */
function remember(history: History, id: string): void {
  history.count++;
  const last = history.latest.at(-1);
  if (last?.id === id) {
    last.count = history.count;
    return;
  }
  history.latest.push({ id, count: history.count });
  if (history.latest.length < 2 * MOST_REMEMBERED) return;
  const forgotten = history.latest.splice(0, MOST_REMEMBERED);
  history.knownSince = forgotten.at(-1)!.count;
}

// Tells everyone who watches jobs that a change was committed: the readers of a job's events, and those who check
// whether their list is current.
import { randomUUID } from 'node:crypto';
import type { StoredEvent } from '../store/events.js';
import type { EventHub } from './events/event-hub.js';

export interface JobChanges {
  announce(job: { id: string; project_id: string }, events?: readonly StoredEvent[]): void;
  /** Announces a change that shows in every project's list. */
  announceAll(): void;
  /** Changes after each change to one of the project's jobs. */
  listTag(projectId: string): string;
}

export function createJobChanges(hub: EventHub): JobChanges {
  /** A restarted cloud starts counting from the beginning. */
  const era = randomUUID().slice(0, 8);
  const counts = new Map<string, number>();
  let countOfAll = 0;
  return {
    announce({ id, project_id }, events = []) {
      counts.set(project_id, (counts.get(project_id) ?? 0) + 1);
      hub.publish(id, events);
    },
    announceAll: () => void countOfAll++,
    listTag: projectId => `"${era}-${countOfAll}-${counts.get(projectId) ?? 0}"`,
  };
}

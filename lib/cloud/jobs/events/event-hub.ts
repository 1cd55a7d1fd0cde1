// Follows job logs for any number of readers. The log in the database is the only source. A topic exists while a job
// has readers; it shares what was read and signals new events.
import type { Clock } from '../../../clock/index.js';
import type { EventWriter } from '../../../http/index.js';
import type { Db } from '../../store/db.js';
import type { StoredEvent } from '../../store/events.js';
import { type EventForm, Topic } from './topic.js';

export interface EventsFrom {
  /** The number of the last event that the reader has. */
  readonly cursor: number;
  readonly form: EventForm;
}

export interface EventHub {
  /** Announces committed events of a job. */
  publish(jobId: string, events: readonly StoredEvent[]): void;
  /** Writes everything after the cursor, then new events, and returns after `end`. */
  follow(jobId: string, from: EventsFrom, writer: Pick<EventWriter, 'sendBytes' | 'signal'>): Promise<void>;
  /**
   * Checks for events that were committed but not published: a commit can be reported as failed although it succeeded.
   */
  refresh(): void;
  /** Ends the streams of a deleted job. */
  forget(jobId: string): void;
  /** Ends all streams at once. */
  close(): void;
}

export function createEventHub(db: Db, clock: Clock): EventHub {
  const topics = new Map<string, Topic>();
  let isClosed = false;

  function openTopic(jobId: string): Topic {
    const topic = topics.get(jobId) ?? new Topic(db, clock, jobId);
    topics.set(jobId, topic);
    topic.readers++;
    return topic;
  }

  function closeTopic(jobId: string, topic: Topic): void {
    if (--topic.readers > 0) return;
    topic.close();
    if (topics.get(jobId) === topic) topics.delete(jobId);
  }

  return {
    publish: (jobId, events) => topics.get(jobId)?.publish(events),
    async follow(jobId, { cursor, form }, { sendBytes, signal }) {
      const topic = openTopic(jobId);
      try {
        await topic.ready;
        for (let at = cursor; !isClosed; ) {
          signal.throwIfAborted();
          if (at < topic.lastSeq) {
            const chunk = await topic.read(at, form);
            if (!chunk) return;
            await sendBytes(chunk.bytes);
            at = chunk.lastSeq;
          } else if (topic.isOver) return;
          else await topic.untilWoken(signal);
        }
      } finally {
        closeTopic(jobId, topic);
      }
    },
    refresh() {
      for (const topic of topics.values()) topic.refresh();
    },
    forget(jobId) {
      topics.get(jobId)?.end();
      topics.delete(jobId);
    },
    close() {
      isClosed = true;
      for (const topic of topics.values()) topic.end();
    },
  };
}

// Streams a job's events: from its log after a cursor, then live.
import {
  EVENT_BATCHES_HEADER,
  isFinalStatus,
  type JobStatus,
  NEWEST_EVENT_HEADER,
} from '../../../contract/index.js';
import { eventStream, STREAM_TIMES } from '../../../http/index.js';
import type { CloudDeps } from '../../deps.js';
import type { EventHub, EventsFrom } from './event-hub.js';

/** Answers 204 only to readers that have seen `end`, because it stops an EventSource for good. */
export function streamEvents(
  { hub, log }: { hub: EventHub; log: CloudDeps['log'] },
  job: { id: string; status: JobStatus; last_seq: number },
  from: EventsFrom,
): Response {
  if (isFinalStatus(job.status) && from.cursor >= job.last_seq) return new Response(null, { status: 204 });
  const response = eventStream(writer => hub.follow(job.id, from, writer), {
    ...STREAM_TIMES,
    onError: error => log({ message: `The events of job ${job.id} could not be read.`, error }),
  });
  response.headers.set(NEWEST_EVENT_HEADER, String(job.last_seq));
  if (from.form === 'batches') response.headers.set(EVENT_BATCHES_HEADER, '1');
  return response;
}

// Reads a job's log so far, and reports when the cloud is unreachable.
import type { CloudClient } from '../../../lib/client/index.js';
import { initialJobView, type JobView, reduceJobView } from '../../../lib/console/index.js';
import {
  ApiError,
  type EventFrame,
  isFinalStatus,
  type Job,
  type LogPart,
  toFrames,
} from '../../../lib/contract/index.js';
import { endSentence } from '../../style.js';

/** The events logged so far; throws if interrupted. */
export async function* readEventsSoFar(
  cloud: CloudClient,
  job: Pick<Job, 'id' | 'status'>,
  after?: number,
): AsyncGenerator<EventFrame> {
  for await (const parts of readLog(cloud, job, after)) yield* toFrames(parts);
}

/** In parts, as the cloud sends them. */
export async function* readLog(
  cloud: CloudClient,
  { id, status }: Pick<Job, 'id' | 'status'>,
  after?: number,
): AsyncGenerator<readonly LogPart[]> {
  try {
    yield* cloud.readJobLog(id, { after: after?.toString() });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    if (!isFinalStatus(status)) throw noLog();
    // The stream of a finished job ends by itself.
    const interrupted = new AbortController();
    const options = { after, signal: interrupted.signal, onInterrupted: interrupted.abort.bind(interrupted) };
    for await (const frame of cloud.streamJobEvents(id, options)) yield [frame];
  }
}

function noLog(): ApiError {
  return new ApiError(
    'unexpected_response',
    'The cloud has an older version, which does not say where the log of a running job ends.',
  );
}

/** The job's view model, as Studio shows it. */
export async function readView(cloud: CloudClient, job: Job): Promise<JobView> {
  const all: LogPart[] = [];
  // Jobs of other providers have no time of their start.
  const hasLog = job.startedAt !== null || job.origin !== null;
  if (hasLog) for await (const parts of readLog(cloud, job)) all.push(...parts);
  const polled = reduceJobView(initialJobView, { type: 'polled', job });
  return reduceJobView(polled, { type: 'events', parts: all });
}

interface Absence {
  onInterrupted(error: Error): void;
  onCloudStopped(): void;
  /** The cloud has responded. Returns whether it was away. */
  end(): boolean;
}

/** Reports that the cloud is unreachable once, and again if it turns out to have been stopped on purpose. */
export function createAbsence(note: (line: string) => void): Absence {
  let reason: 'lost' | 'stopped' | null = null;
  return {
    onInterrupted({ message }) {
      if (reason === null) note(`Lost the connection to the cloud: ${endSentence(message)} Retrying.`);
      reason ??= 'lost';
    },
    onCloudStopped() {
      if (reason !== 'stopped') note('The cloud was stopped. To continue the job, run "svc cloud start".');
      reason = 'stopped';
    },
    end() {
      const wasAway = reason !== null;
      reason = null;
      return wasAway;
    },
  };
}

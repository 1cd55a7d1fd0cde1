// A job's events: the log so far, or also everything that follows, through times without the cloud.
import type { CloudClient, EventFrame } from '../../../lib/client/index.js';
import { initialJobView, type JobView, reduceJobView } from '../../../lib/console/index.js';
import { isFinalStatus, type Job } from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';

interface FollowLogOptions {
  /** Only events after this sequence number. */
  after?: number | undefined;
  onInterrupted?: ((error: Error) => void) | undefined;
  /** Called when the interruption is a stopped local cloud; the log then waits for it. */
  onCloudStopped?: (() => void) | undefined;
}

/** To the end of the job, through every interruption. */
export function followEventLog(
  { cloud, id, session }: { cloud: CloudClient; id: string; session: Session },
  { after, onInterrupted, onCloudStopped }: FollowLogOptions = {},
): AsyncIterable<EventFrame> {
  return cloud.streamJobEvents(id, {
    after,
    onInterrupted: error => {
      if (session.isCloudStopped()) return onCloudStopped?.();
      onInterrupted?.(error);
      // Restarts a local cloud that vanished, at the same address.
      session.reach().catch(() => {});
    },
  });
}

/** What is logged now; throws at an interruption. */
export function readEventsSoFar(
  cloud: CloudClient,
  { id, status }: Pick<Job, 'id' | 'status'>,
  after?: number,
): AsyncIterable<EventFrame> {
  const interrupted = new AbortController();
  return cloud.streamJobEvents(id, {
    after,
    // A finished job's log has an `end`, which older clouds send too.
    isSoFar: !isFinalStatus(status),
    signal: interrupted.signal,
    onInterrupted: error => interrupted.abort(error),
  });
}

/** What they say so far, as Studio shows it. */
export async function readView(cloud: CloudClient, job: Job): Promise<JobView> {
  const frames: EventFrame[] = [];
  if (job.startedAt !== null) for await (const frame of readEventsSoFar(cloud, job)) frames.push(frame);
  const polled = reduceJobView(initialJobView, { type: 'polled', job });
  return reduceJobView(polled, { type: 'frames', frames });
}

interface Absence {
  onInterrupted(error: Error): void;
  onCloudStopped(): void;
  /** The cloud has responded. Returns whether it was away. */
  end(): boolean;
}

/** Reports that the cloud is unreachable: once, and once more if it turns out that someone stopped it. */
export function createAbsence(note: (line: string) => void): Absence {
  let reason: 'lost' | 'stopped' | null = null;
  return {
    onInterrupted({ message }) {
      if (reason === null) note(`Lost the connection to the cloud: ${message} Retrying.`);
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

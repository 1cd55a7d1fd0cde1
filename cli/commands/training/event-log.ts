// A job's events: the log so far, or also everything that follows.
import type { CloudClient, EventFrame } from '../../../lib/client/index.js';
import type { Session } from '../../../lib/sdk/index.js';

interface EventLogOptions {
  /** Only events after this sequence number. */
  after?: number | undefined;
  /** Continues to the end of the job, through every interruption; otherwise stops when nothing more arrives. */
  follow: boolean;
  onInterrupted?: ((error: Error) => void) | undefined;
  /** Called when the interruption is a stopped local cloud; the log then waits for it. */
  onCloudStopped?: (() => void) | undefined;
}

/**
 * The log so far is sent at once, so two silent looks in a row mean its end. Two, because a busy machine may delay a look,
 * and data that has arrived meanwhile is only read after it.
 */
const LOOK_MS = 500;

export async function* readEventLog(
  { cloud, id, session }: { cloud: CloudClient; id: string; session: Session },
  { after, follow, onInterrupted, onCloudStopped }: EventLogOptions,
): AsyncGenerator<EventFrame> {
  if (!follow) return yield* readSoFar(cloud, id, after);
  yield* cloud.streamJobEvents(id, {
    after,
    onInterrupted: error => {
      if (session.isCloudStopped()) return onCloudStopped?.();
      onInterrupted?.(error);
      // Restarts a local cloud that vanished, at the same address.
      session.reach().catch(() => {});
    },
  });
}

async function* readSoFar(cloud: CloudClient, id: string, after?: number): AsyncGenerator<EventFrame> {
  const stop = new AbortController();
  let failure: Error | undefined;
  let silentLooks = 0;
  let looks: NodeJS.Timeout | undefined;
  const frames = cloud.streamJobEvents(id, {
    after,
    signal: stop.signal,
    onOpen: () => {
      looks = setInterval(() => ++silentLooks > 1 && stop.abort(), LOOK_MS);
    },
    onInterrupted: error => {
      failure = error;
      stop.abort();
    },
  });
  try {
    for await (const frame of frames) {
      silentLooks = 0;
      yield frame;
    }
  } catch (error) {
    if (failure) throw failure;
    if (!stop.signal.aborted) throw error;
  } finally {
    clearInterval(looks);
  }
}

// A job's events from its log, and what follows; or only what is there by now.
import type { CloudClient, EventFrame } from '../../../lib/client/index.js';
import type { Session } from '../../../lib/sdk/index.js';

export interface EventLogOptions {
  /** Only what comes after this sequence number. */
  after?: number | undefined;
  /** Goes on to the end of the job, through every interruption; otherwise it stops when nothing more comes. */
  follow: boolean;
  onInterrupted?: ((error: Error) => void) | undefined;
  /** It was interrupted since somebody stopped the local cloud, which is then waited for. */
  onCloudStopped?: (() => void) | undefined;
}

/**
 * The log is sent at once: a silence of two looks is its end so far. Two, because after the one that a busy machine
 * delayed, what has arrived meanwhile is read first.
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
      // A local cloud that vanished is started again, at the same address.
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

// A job's events to their end, through every interruption.
import type { EventFrame } from '../../contract/index.js';
import type { Session } from '../session/session.js';

export interface FollowHooks {
  /** The stream was interrupted and will be retried. */
  onInterrupted?: ((error: Error) => void) | undefined;
  /** The local cloud was stopped on purpose: there are no events until someone starts it again. */
  onCloudStopped?: (() => void) | undefined;
}

interface FollowOptions extends FollowHooks {
  /** Only events after this sequence number. */
  after?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Each event exactly once. Restarts a local cloud that died, waits for one that was stopped, and continues
 * the stream even if the URL has changed.
 */
export async function* followJob(
  session: Session,
  id: string,
  { after, signal, onInterrupted, onCloudStopped }: FollowOptions = {},
): AsyncGenerator<EventFrame> {
  let cursor = after?.toString();
  for (;;) {
    const { url } = await session.reach();
    const moved = new AbortController();
    const cloud = await session.projectClient();
    const returned = async () => {
      if ((await session.reach()).url !== url) moved.abort();
    };
    const frames = cloud.streamJobEvents(id, {
      after: cursor,
      signal: signal ? AbortSignal.any([signal, moved.signal]) : moved.signal,
      onInterrupted: error => {
        if (session.isCloudStopped()) return onCloudStopped?.();
        onInterrupted?.(error);
        returned().catch(() => {});
      },
    });
    try {
      for await (const frame of frames) {
        cursor = frame.id || cursor;
        yield frame;
      }
      return;
    } catch (error) {
      if (!moved.signal.aborted || signal?.aborted) throw error;
    }
  }
}

// Queues a job, once however often it has to be asked for: a local cloud may vanish while it is asked, and a cloud's
// database may be locked just then. The key finds the job that was made, or makes it.
import { randomUUID } from 'node:crypto';
import { createBackoff } from '../../client/index.js';
import { ApiError, type Job, type JobInput } from '../../contract/index.js';
import type { Session } from '../session/session.js';

interface CreateJobOptions {
  signal?: AbortSignal | undefined;
  /** The cloud's storage takes nothing now; it is tried again. Told once. */
  onStorageWait?: ((problem: string) => void) | undefined;
}

/** How long it is tried again. */
const STORAGE_MS = 60_000;

export async function createJob(
  input: JobInput,
  session: Session,
  { signal, onStorageWait }: CreateJobOptions = {},
): Promise<Job> {
  const { clock } = session;
  const idempotencyKey = randomUUID();
  const backoff = createBackoff({ firstMs: 500, longestMs: 4000 });
  let hasVanished = false;
  let until: number | null = null;
  for (;;) {
    try {
      return (await (await session.projectClient()).createJob(input, { signal, idempotencyKey })).job;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'cloud_unreachable' && !hasVanished) {
        hasVanished = true;
        continue;
      }
      if (error.code !== 'storage_unavailable' || (until !== null && clock.elapsed() >= until)) throw error;
      if (until === null) onStorageWait?.(error.message);
      until ??= clock.elapsed() + STORAGE_MS;
    }
    await clock.sleep(backoff.next(), signal);
  }
}

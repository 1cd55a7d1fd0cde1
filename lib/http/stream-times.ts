// How streams show that they are alive: whoever reads one may take a longer silence for its end.

export interface StreamTimes {
  /** What an EventSource waits before it connects again. */
  retryMs: number;
  /** A comment so often, as long as nothing else is said. */
  pingMs: number;
  /** How long an answer may keep its caller waiting for the status, so that a refusal has one of its own. */
  statusMs: number;
}

export const STREAM_TIMES: StreamTimes = { retryMs: 3000, pingMs: 15_000, statusMs: 10_000 };

/** Whether the first part came in this time. Throws what it failed with in this time; a later failure is the stream's. */
export async function comesWithin(ms: number, first: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>(resolve => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([first.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

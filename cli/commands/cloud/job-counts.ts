// A cloud's unfinished jobs, in words.

/** "1 running and 2 queued jobs"; null for none. */
export function describeJobCounts({ running, queued }: { running: number; queued: number }): string | null {
  const counts = [running > 0 && `${running} running`, queued > 0 && `${queued} queued`].filter(Boolean);
  if (counts.length === 0) return null;
  return `${counts.join(' and ')} ${running + queued === 1 ? 'job' : 'jobs'}`;
}

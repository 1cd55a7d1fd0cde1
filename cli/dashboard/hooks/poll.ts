// Runs something at once and then every few seconds while the component is mounted; never two runs at once.
import { useEffect } from 'react';
import { createPoll } from '../../../lib/clock/index.js';
import { useDashboard } from '../dashboard-context.js';

export const POLL_MS = 5000;

/** Never for null. */
export function usePoll(run: () => Promise<unknown>, everyMs: number | null = POLL_MS): void {
  const { clock } = useDashboard();
  useEffect(() => {
    if (everyMs === null) return;
    const poll = createPoll(clock, run, everyMs);
    poll.start();
    return poll.stop;
  }, [clock, run, everyMs]);
}

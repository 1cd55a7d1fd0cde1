// Counts each deployment's requests over the last hour, per minute and in memory: a restart resets them.
import type { Clock } from '../../clock/index.js';

export interface RequestCounts {
  add(deploymentId: string, isAnswered: boolean): void;
  /** In the last hour. */
  read(deploymentId: string): { requests: number; failed: number };
}

const MINUTE_MS = 60_000;
const MINUTES = 60;

/** One slot per minute of the hour, reused in the next hour. */
interface Minutes {
  readonly minute: number[];
  readonly requests: number[];
  readonly failed: number[];
}

export function createRequestCounts(clock: Clock): RequestCounts {
  const counts = new Map<string, Minutes>();
  const minuteNow = () => Math.floor(clock.now() / MINUTE_MS);

  return {
    add(deploymentId, isAnswered) {
      const found = counts.get(deploymentId) ?? { minute: [], requests: [], failed: [] };
      counts.set(deploymentId, found);
      const minute = minuteNow();
      const place = minute % MINUTES;
      if (found.minute[place] !== minute) {
        found.minute[place] = minute;
        found.requests[place] = 0;
        found.failed[place] = 0;
      }
      found.requests[place]!++;
      if (!isAnswered) found.failed[place]!++;
    },
    read(deploymentId) {
      const sum = { requests: 0, failed: 0 };
      const found = counts.get(deploymentId);
      const oldest = minuteNow() - MINUTES;
      found?.minute.forEach((minute, place) => {
        if (minute <= oldest) return;
        sum.requests += found.requests[place]!;
        sum.failed += found.failed[place]!;
      });
      return sum;
    },
  };
}

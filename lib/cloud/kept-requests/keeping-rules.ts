// Which requests a deployment keeps, and until when.
import type { Tables } from '../store/tables.js';

const DAY_MS = 24 * 60 * 60 * 1000;

export type Keeping = Pick<
  Tables['deployments'],
  'id' | 'keep_requests' | 'retention_mode' | 'retention_days'
>;

/** `none` if nothing is kept, null if everything is; otherwise the time after which requests are kept. */
export function keptAfter(deployment: Keeping | undefined, now: Date): string | null | 'none' {
  if (!deployment || deployment.keep_requests === 0 || deployment.retention_mode === 'disabled')
    return 'none';
  if (deployment.retention_mode === 'unlimited') return null;
  // So many days may lead to before the year 0, which is as good as forever.
  const time = now.getTime() - deployment.retention_days! * DAY_MS;
  return time > 0 ? new Date(time).toISOString() : null;
}

// Logs why requests to endpoints were answered 404: the first of each reason in a minute, since anyone can send them.
import type { Clock } from '../../clock/index.js';
import { ApiError } from '../../contract/index.js';
import { requestIdOf } from '../../http/index.js';
import type { CloudDeps } from '../deps.js';

const MINUTE_MS = 60_000;

/** `deployment`: the one that the request reached, if any. */
type RefusalLog = (error: unknown, request: Request, deployment?: { id: string; slug: string }) => void;

export function createRefusalLog(log: CloudDeps['log'], clock: Clock): RefusalLog {
  /** At most one for each deployment of this cloud, and one for all unknown slugs. */
  const logged = new Map<string, { at: number; others: number }>();
  return (error, request, deployment) => {
    if (!(error instanceof ApiError) || error.status !== 404) return;
    const reason = deployment?.id ?? '';
    const last = logged.get(reason);
    const now = clock.elapsed();
    if (last && now - last.at < MINUTE_MS) {
      last.others++;
      return;
    }
    const others = last?.others ? ` (${last.others} more like the one before were not logged.)` : '';
    const at = deployment ? ` at endpoint ${deployment.slug}` : '';
    logged.set(reason, { at: now, others: 0 });
    const { message } = error.cause instanceof Error ? error.cause : error;
    log({
      message: `Answered 404 ${error.code}${at}: ${message}${others}`,
      requestId: requestIdOf(request),
    });
  };
}

// Reads what an endpoint keeps, page by page.
import type { CloudClient } from '../../../lib/client/index.js';
import type {
  Deployment,
  KeptRequest,
  KeptRequestFilter,
  KeptRequests,
} from '../../../lib/contract/index.js';

const MOST_PER_PAGE = 100;

/** Newest first. Without a limit, all of them. */
export async function readKept(
  cloud: CloudClient,
  deployment: Deployment,
  { mark, limit = Number.POSITIVE_INFINITY }: Pick<KeptRequestFilter, 'mark' | 'limit'>,
): Promise<KeptRequests> {
  const requests: KeptRequest[] = [];
  for (let cursor: string | undefined; ; ) {
    const ask = Math.max(1, Math.min(MOST_PER_PAGE, limit - requests.length));
    const page = await cloud.listKeptRequests(deployment.id, { mark, limit: ask, cursor });
    requests.push(...page.requests.slice(0, Math.max(0, limit - requests.length)));
    if (page.nextCursor === null || requests.length >= limit) return { ...page, requests };
    cursor = page.nextCursor;
  }
}

// The deployment that a request is for, as far as the edge needs to know it.
import {
  ApiError,
  type OfferedRoute,
  type RouteAddress,
  routesOf,
  type Target,
} from '../../contract/index.js';
import { isLocalDomain, readOffer, toTarget } from '../deployments/deployment-rows.js';
import type { CloudAddress } from '../deps.js';
import { labelBefore, readHostName } from '../guard.js';
import type { Db } from '../store/db.js';

export interface OpenDeployment {
  id: string;
  orgId: string;
  target: Target;
  isPublic: boolean;
  createdAt: string;
  /** What it offers, at its own address. */
  routes: Partial<Record<OfferedRoute, RouteAddress>>;
  corsOrigins: readonly string[];
  keepsRequests: boolean;
}

/** A disabled deployment looks the same as one that never existed. */
export async function findOpen(db: Db, { slug }: Pick<EdgeAddress, 'slug'>): Promise<OpenDeployment> {
  const row = await db
    .selectFrom('deployments')
    .selectAll()
    .where('slug', '=', slug)
    .where('enabled', '=', 1)
    .executeTakeFirst();
  if (!row) throw new ApiError('deployment_not_found', 'There is no endpoint at this address.');
  const { operations, corsOrigins } = readOffer(row);
  return {
    id: row.id,
    orgId: row.org_id,
    target: toTarget(row),
    isPublic: row.auth_mode === 'none',
    createdAt: row.created_at,
    routes: routesOf(operations),
    corsOrigins,
    keepsRequests: row.keep_requests === 1,
  };
}

export interface EdgeAddress {
  slug: string;
  /** The path after the deployment's base address. */
  path: string;
}

/**
 * Which deployment a request is for: by the label before the deployment domain or, if that domain is local to this
 * machine, by the path. Null if the request is for the cloud's API.
 */
export function readEdgeAddress(request: Request, address: CloudAddress): EdgeAddress | null {
  const host = readHostName(request);
  if (host === null || !URL.canParse(request.url)) return null;
  const { pathname } = new URL(request.url);
  if (!address.names.includes(host)) {
    const slug = labelBefore(address.deploymentDomain, host);
    return slug === null ? null : { slug, path: pathname };
  }
  const form = isLocalDomain(address.deploymentDomain) ? /^\/d\/([^/]*)(.*)$/.exec(pathname) : null;
  return form && { slug: form[1]!, path: form[2]! };
}

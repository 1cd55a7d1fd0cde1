// The deployment that a request is for, as far as the edge needs to know it.
import {
  ApiError,
  type OfferedRoute,
  type RouteAddress,
  routesOf,
  type Target,
} from '../../contract/index.js';
import { readOffer } from '../deployments/offer.js';
import { toTarget } from '../deployments/to-deployment.js';
import type { Db } from '../store/db.js';
import type { EdgeAddress } from './address.js';

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

// Finds a deployment in the caller's project. Deployments of others count as missing.
import type { Kysely } from 'kysely';
import { ApiError } from '../../contract/index.js';
import type { ProjectScope } from '../access.js';
import type { Tables } from '../store/tables.js';
import type { DeploymentRow } from './to-deployment.js';

/** Throws `deployment_not_found`. */
export async function findDeployment(
  db: Kysely<Tables>,
  { projectId }: ProjectScope,
  id: string,
): Promise<DeploymentRow> {
  const row = await db
    .selectFrom('deployments')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return row ?? refuse(id);
}

function refuse(id: string): never {
  throw new ApiError('deployment_not_found', `There is no endpoint ${id} in this project.`);
}

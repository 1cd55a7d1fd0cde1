// What deployments serve, and what they served before.
import type { Transaction } from 'kysely';
import type { Target } from '../../contract/index.js';
import type { Tables } from '../store/tables.js';
import {
  type DeploymentRow,
  readEarlierTargets,
  type TargetColumns,
  toTarget,
  toTargetColumns,
} from './to-deployment.js';

/** How many are kept of each deployment. */
const MOST_EARLIER = 10;

interface Change {
  target: Target;
  /** What is followed, as JSON; null for a fixed target. */
  follows: string | null;
}

/** Keeps the target that it had, unless it is the same. */
export async function setTarget(
  transaction: Transaction<Tables>,
  row: DeploymentRow,
  { target, follows }: Change,
  at: string,
): Promise<void> {
  const columns = toTargetColumns(target);
  const isSame = (Object.keys(columns) as (keyof TargetColumns)[]).every(name => columns[name] === row[name]);
  if (isSame && follows === row.follows) return;
  const earlier = isSame ? row.earlier_targets : keepTarget(row);
  await transaction
    .updateTable('deployments')
    .set({
      ...columns,
      follows,
      updated_at: at,
      ...(!isSame && { target_since: at, earlier_targets: earlier }),
    })
    .where('id', '=', row.id)
    .execute();
}

function keepTarget(row: DeploymentRow): string {
  const since = row.target_since ?? row.created_at;
  return JSON.stringify(
    [{ target: toTarget(row), since }, ...readEarlierTargets(row)].slice(0, MOST_EARLIER),
  );
}

// How a database gets its tables when it is opened. One with tables of another version is refused.
import { CompiledQuery, type Kysely } from 'kysely';
import { writeTable } from './columns.js';
import { TABLES } from './tables.js';

export interface Schema {
  /** Rises with every change to the tables. SQLite keeps it as the file's `user_version`. */
  readonly version: number;
  /** Statements that create the tables in an empty file. */
  readonly create: readonly string[];
}

const INDEXES = [
  'INDEX datasets_by_content ON datasets (sha256)',
  'INDEX jobs_by_project ON jobs (project_id, number DESC)',
  "INDEX jobs_waiting ON jobs (status, number) WHERE status IN ('queued', 'running')",
  // The queue reads the first jobs of each resource group.
  `INDEX jobs_queued ON jobs (coalesce(json_extract(config, '$.resources'), ''), number)
    WHERE status = 'queued' AND paused_at IS NULL`,
  // A job's scores are read with the job, and each is recorded once.
  `UNIQUE INDEX scores ON events (job_id, json_extract(payload, '$.name'), json_extract(payload, '$.step'))
    WHERE type = 'score.recorded'`,
  // A provider's job is imported once per project.
  `UNIQUE INDEX jobs_by_origin ON jobs
    (project_id, json_extract(origin, '$.provider'), json_extract(origin, '$.id')) WHERE origin IS NOT NULL`,
  'INDEX job_datasets_by_dataset ON job_datasets (dataset_id)',
  'INDEX files_by_project ON files (project_id, number)',
  'INDEX batches_by_project ON batches (project_id, number)',
  'INDEX batches_by_input ON batches (input_file_id)',
  'INDEX files_by_dataset ON files (dataset_id)',
  'INDEX files_by_expiry ON files (expires_at) WHERE expires_at IS NOT NULL',
  'INDEX deployments_by_project ON deployments (project_id, number DESC)',
  'INDEX deployments_by_job ON deployments (target_job_id)',
  'INDEX deployments_by_follows ON deployments (project_id, follows) WHERE follows IS NOT NULL',
  'INDEX evaluations_by_project ON evaluations (project_id, number DESC)',
  'INDEX evaluations_by_job ON evaluations (job_id)',
  'INDEX keys_by_deployment ON keys (deployment_id, number)',
  'INDEX keys_by_project ON keys (project_id, number)',
  'INDEX idempotency_keys_by_age ON idempotency_keys (created_at)',
];

/** Of the cloud's own database. */
export const SCHEMA: Schema = {
  version: 14,
  create: [...Object.entries(TABLES).map(writeTable), ...INDEXES.map(index => `CREATE ${index}`)],
};

/** All tables or none. `refuse`: the error about tables of another version. */
export async function createTables<Tables>(
  db: Kysely<Tables>,
  { version, create }: Schema,
  refuse = otherVersion,
): Promise<void> {
  const { rows } = await db.executeQuery<{ user_version: number }>(CompiledQuery.raw('PRAGMA user_version'));
  const found = rows[0]!.user_version;
  if (found === version) return;
  if (found !== 0) throw refuse(describeVersions(found, version));
  await db.transaction().execute(async transaction => {
    for (const statement of [...create, `PRAGMA user_version = ${version}`])
      await transaction.executeQuery(CompiledQuery.raw(statement));
  });
}

function describeVersions(found: number, needed: number): string {
  return `was written by another version of svc (its tables are version ${found}; this svc needs version ${needed}).`;
}

function otherVersion(versions: string): Error {
  return new Error(
    `The cloud's data ${versions} Use that svc, or move the data folder away and start the cloud again.`,
  );
}

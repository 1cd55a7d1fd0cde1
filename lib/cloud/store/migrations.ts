// What makes the tables of a cloud, one list of statements per migration. Never edit a released one; add another at the end.
import { CompiledQuery, type Kysely } from 'kysely';

/** @internal */
export const migrations: readonly (readonly string[])[] = [
  [
    `CREATE TABLE identities (
      id TEXT PRIMARY KEY,
      mode TEXT NOT NULL CHECK (mode IN ('anonymous', 'oauth')),
      subject TEXT NOT NULL,
      issuer TEXT NOT NULL DEFAULT '',
      email TEXT,
      token_hash TEXT UNIQUE,
      created_at TEXT NOT NULL,
      UNIQUE (issuer, subject)
    )`,
    `CREATE TABLE orgs (
      id TEXT PRIMARY KEY,
      slug TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      created_at TEXT NOT NULL
    )`,
    `CREATE TABLE memberships (
      identity_id TEXT NOT NULL REFERENCES identities (id) ON DELETE CASCADE,
      org_id TEXT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
      PRIMARY KEY (identity_id, org_id)
    ) WITHOUT ROWID`,
    `CREATE TABLE projects (
      id TEXT PRIMARY KEY,
      org_id TEXT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
      slug TEXT NOT NULL,
      name TEXT NOT NULL,
      created_at TEXT NOT NULL,
      UNIQUE (org_id, slug)
    )`,
    `CREATE TABLE datasets (
      id TEXT PRIMARY KEY,
      org_id TEXT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
      sha256 TEXT NOT NULL,
      file_name TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      rows INTEGER NOT NULL,
      format TEXT NOT NULL,
      created_at TEXT NOT NULL,
      unclaimed INTEGER NOT NULL DEFAULT 0,
      UNIQUE (org_id, sha256, format)
    )`,
    'CREATE INDEX datasets_by_content ON datasets (sha256)',
    `CREATE TABLE jobs (
      id TEXT PRIMARY KEY,
      number INTEGER NOT NULL UNIQUE,
      org_id TEXT NOT NULL REFERENCES orgs (id),
      project_id TEXT NOT NULL REFERENCES projects (id),
      name TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
      config TEXT NOT NULL,
      error TEXT,
      created_at TEXT NOT NULL,
      started_at TEXT,
      completed_at TEXT,
      step INTEGER,
      total_steps INTEGER,
      artifact_count INTEGER NOT NULL DEFAULT 0,
      attempt INTEGER NOT NULL DEFAULT 0,
      last_seq INTEGER NOT NULL DEFAULT 0,
      base_digest TEXT,
      paused_at TEXT,
      trainer TEXT,
      tags TEXT,
      note TEXT,
      job_group TEXT,
      loss REAL,
      eval_loss REAL,
      lowest_loss REAL,
      lowest_eval_loss REAL,
      best_score TEXT
    )`,
    'CREATE INDEX jobs_by_project ON jobs (project_id, number DESC)',
    "CREATE INDEX jobs_waiting ON jobs (status, number) WHERE status IN ('queued', 'running')",
    // The queue reads the first jobs of each kind of resources.
    `CREATE INDEX jobs_queued ON jobs (coalesce(json_extract(config, '$.resources'), ''), number)
      WHERE status = 'queued' AND paused_at IS NULL`,
    `CREATE TABLE attempts (
      job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      attempt INTEGER NOT NULL,
      claim_hash TEXT NOT NULL,
      run_hash TEXT,
      worker TEXT,
      next INTEGER NOT NULL,
      PRIMARY KEY (job_id, attempt)
    ) WITHOUT ROWID`,
    `CREATE TABLE events (
      job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      type TEXT NOT NULL,
      payload TEXT NOT NULL,
      at TEXT NOT NULL,
      PRIMARY KEY (job_id, seq)
    ) WITHOUT ROWID`,
    // A job's scores are read with the job, and each is recorded once.
    `CREATE UNIQUE INDEX scores ON events (job_id, json_extract(payload, '$.name'), json_extract(payload, '$.step'))
      WHERE type = 'score.recorded'`,
    `CREATE TABLE artifacts (
      job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('final', 'checkpoint')),
      step INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      PRIMARY KEY (job_id, name)
    ) WITHOUT ROWID`,
    `CREATE TABLE job_datasets (
      job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      dataset_id TEXT NOT NULL REFERENCES datasets (id),
      PRIMARY KEY (job_id, dataset_id)
    ) WITHOUT ROWID`,
    'CREATE INDEX job_datasets_by_dataset ON job_datasets (dataset_id)',
    `CREATE TABLE job_downloads (
      job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('training', 'evaluation')),
      file TEXT,
      name TEXT,
      PRIMARY KEY (job_id, role)
    ) WITHOUT ROWID`,
    `CREATE TABLE files (
      id TEXT PRIMARY KEY,
      number INTEGER NOT NULL UNIQUE,
      project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      dataset_id TEXT NOT NULL REFERENCES datasets (id),
      name TEXT NOT NULL,
      created_at TEXT NOT NULL
    )`,
    'CREATE INDEX files_by_project ON files (project_id, number)',
    'CREATE INDEX files_by_dataset ON files (dataset_id)',
    `CREATE TABLE fine_tunings (
      job_id TEXT PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
      training_file TEXT NOT NULL,
      validation_file TEXT,
      metadata TEXT
    ) WITHOUT ROWID`,
    `CREATE TABLE slugs (
      slug TEXT PRIMARY KEY,
      org_id TEXT NOT NULL REFERENCES orgs (id)
    ) WITHOUT ROWID`,
    `CREATE TABLE deployments (
      id TEXT PRIMARY KEY,
      number INTEGER NOT NULL UNIQUE,
      org_id TEXT NOT NULL REFERENCES orgs (id),
      project_id TEXT NOT NULL REFERENCES projects (id),
      slug TEXT NOT NULL UNIQUE REFERENCES slugs (slug),
      target_kind TEXT NOT NULL CHECK (target_kind IN ('final', 'checkpoint', 'base_model')),
      target_job_id TEXT REFERENCES jobs (id),
      target_step INTEGER,
      target_model TEXT,
      auth_mode TEXT NOT NULL CHECK (auth_mode IN ('fixed_api_key', 'none')),
      enabled INTEGER NOT NULL,
      retention_mode TEXT NOT NULL CHECK (retention_mode IN ('unlimited', 'disabled', 'days')),
      retention_days INTEGER,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      operations TEXT NOT NULL DEFAULT '["chat"]',
      cors_origins TEXT NOT NULL DEFAULT '[]',
      follows TEXT,
      target_since TEXT,
      earlier_targets TEXT NOT NULL DEFAULT '[]',
      keep_requests INTEGER NOT NULL DEFAULT 0
    )`,
    'CREATE INDEX deployments_by_project ON deployments (project_id, number DESC)',
    'CREATE INDEX deployments_by_job ON deployments (target_job_id)',
    'CREATE INDEX deployments_by_follows ON deployments (project_id, follows) WHERE follows IS NOT NULL',
    `CREATE TABLE keys (
      id TEXT PRIMARY KEY,
      deployment_id TEXT REFERENCES deployments (id) ON DELETE CASCADE,
      project_id TEXT REFERENCES projects (id) ON DELETE CASCADE,
      number INTEGER NOT NULL UNIQUE,
      label TEXT NOT NULL,
      prefix TEXT NOT NULL,
      hash TEXT NOT NULL UNIQUE,
      enabled INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      last_used_at TEXT,
      CHECK ((deployment_id IS NULL) <> (project_id IS NULL))
    )`,
    'CREATE INDEX keys_by_deployment ON keys (deployment_id, number)',
    'CREATE INDEX keys_by_project ON keys (project_id, number)',
    `CREATE TABLE idempotency_keys (
      caller TEXT NOT NULL,
      key TEXT NOT NULL,
      request_hash TEXT NOT NULL,
      noted TEXT NOT NULL,
      created_at TEXT NOT NULL,
      PRIMARY KEY (caller, key)
    ) WITHOUT ROWID`,
    'CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at)',
  ],
];

/**
 * Runs pending migrations when the database is opened, all or none. SQLite's `user_version` holds the number of
 * completed ones.
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  steps: readonly (readonly string[])[] = migrations,
): Promise<void> {
  const { rows } = await db.executeQuery<{ user_version: number }>(CompiledQuery.raw('PRAGMA user_version'));
  const done = rows[0]!.user_version;
  if (done > steps.length) {
    throw new Error(
      `The cloud's data was written by a newer version of svc (${done} migrations; this one knows ${steps.length}). Update svc.`,
    );
  }
  if (done === steps.length) return;
  await db.transaction().execute(async transaction => {
    for (const statement of steps.slice(done).flat())
      await transaction.executeQuery(CompiledQuery.raw(statement));
    await transaction.executeQuery(CompiledQuery.raw(`PRAGMA user_version = ${steps.length}`));
  });
}

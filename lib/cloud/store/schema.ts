// How a cloud's tables are created, and how those of an earlier version are updated.
import { writeTable } from './columns.js';
import type { Schema } from './migrate.js';
import { TABLES } from './tables.js';

/** A provider's job is imported once per project. */
const JOBS_BY_ORIGIN = `UNIQUE INDEX jobs_by_origin ON jobs
  (project_id, json_extract(origin, '$.provider'), json_extract(origin, '$.id')) WHERE origin IS NOT NULL`;
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
  JOBS_BY_ORIGIN,
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

const lastOf = (measure: string) =>
  `(SELECT ${measure} FROM steps WHERE job_id = jobs.id AND ${measure} IS NOT NULL ORDER BY seq DESC LIMIT 1)`;

export const schema: Schema = {
  version: 14,
  create: [...Object.entries(TABLES).map(writeTable), ...INDEXES.map(index => `CREATE ${index}`)],
  updates: {
    5: ['ALTER TABLE jobs ADD COLUMN task TEXT'],
    6: [
      ...(['evaluations', 'evaluation_rows'] as const).map(name => writeTable([name, TABLES[name]])),
      ...INDEXES.filter(index => index.includes(' ON evaluations ')).map(index => `CREATE ${index}`),
    ],
    7: ['ALTER TABLE jobs ADD COLUMN origin TEXT', `CREATE ${JOBS_BY_ORIGIN}`],
    8: ['ALTER TABLE deployments ADD COLUMN canary TEXT'],
    9: ['ALTER TABLE deployments ADD COLUMN require_gate INTEGER NOT NULL DEFAULT 0'],
    10: [
      ...['reward', 'evalReward', 'rewardSpread', 'kl'],
      ...['answerTokens', 'cutAnswers', 'quietGroups', 'failedRewards'],
    ].map(name => `ALTER TABLE steps ADD COLUMN ${name} REAL`),
    11: [writeTable(['job_answers', TABLES.job_answers])],
    12: ['rolloutSeconds', 'rewardSeconds', 'trainingSeconds', 'softLoss', 'evalSoftLoss'].map(
      name => `ALTER TABLE steps ADD COLUMN ${name} REAL`,
    ),
    13: ['ALTER TABLE steps ADD COLUMN clippedTokens REAL'],
    14: [
      ...['reward', 'eval_reward', 'best_reward', 'best_eval_reward'].map(
        name => `ALTER TABLE jobs ADD COLUMN ${name} REAL`,
      ),
      `UPDATE jobs SET ${[
        `reward = ${lastOf('reward')}`,
        `eval_reward = ${lastOf('evalReward')}`,
        'best_reward = (SELECT max(reward) FROM steps WHERE job_id = jobs.id)',
        'best_eval_reward = (SELECT max(evalReward) FROM steps WHERE job_id = jobs.id)',
      ].join(', ')} WHERE json_extract(config, '$.method.type') = 'grpo'`,
    ],
  },
};

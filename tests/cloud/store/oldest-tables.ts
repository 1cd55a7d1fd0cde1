// The tables of the oldest version that updates reach, as their columns: never to be edited, unless that version changes.
export const OLDEST_VERSION = 4;

export const OLDEST_TABLES: Readonly<Record<string, string>> = {
  identities: 'id mode subject issuer email token_hash created_at',
  orgs: 'id slug name created_at',
  memberships: 'identity_id org_id',
  projects: 'id org_id slug name created_at',
  datasets: 'id org_id sha256 file_name bytes rows format created_at unclaimed',
  files: 'id number project_id dataset_id name created_at purpose expires_at',
  uploads: 'id project_id name purpose bytes status file_seconds file_id created_at expires_at',
  batches:
    'id number project_id caller status endpoint input_file_id output_file_id error_file_id output_seconds model metadata errors usage times total completed failed created_at expires_at',
  jobs: 'id name status error created_at started_at completed_at org_id project_id step total_steps artifact_count loss eval_loss best_loss best_eval_loss best_score trainer job_group tags note number config attempt last_seq base_digest paused_at',
  attempts: 'job_id attempt claim_hash run_hash worker next',
  events: 'job_id seq type payload at',
  steps:
    'job_id seq at step loss evalLoss learningRate epoch tokensPerSecond tokens memoryBytes cpuPercent rewardMargin rewardAccuracy chosenReward rejectedReward evalRewardMargin evalRewardAccuracy evalChosenReward evalRejectedReward payload',
  artifacts: 'job_id name kind step bytes sha256',
  fine_tunings: 'job_id training_file validation_file metadata',
  job_datasets: 'job_id dataset_id',
  job_downloads: 'job_id role file name',
  slugs: 'slug org_id',
  deployments:
    'id number org_id project_id slug target auth_mode enabled retention_mode retention_days created_at updated_at operations cors_origins follows target_since earlier_targets keep_requests',
  keys: 'id deployment_id project_id number label prefix hash enabled created_at last_used_at',
  idempotency_keys: 'caller key request_hash noted created_at',
};

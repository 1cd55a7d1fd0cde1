// The tables as queries see them. `migrations.ts` creates them.
import type { AuthMode, IdentityMode, JobStatus } from '../../contract/index.js';

/** 0 or 1. */
type Flag = 0 | 1;

export interface Tables {
  identities: {
    id: string;
    mode: IdentityMode;
    /** The anonymous ID, or the issuer's subject. */
    subject: string;
    issuer: string;
    email: string | null;
    /** SHA-256 of an anonymous identity's token. */
    token_hash: string | null;
    created_at: string;
  };
  orgs: { id: string; slug: string; name: string; created_at: string };
  memberships: { identity_id: string; org_id: string };
  projects: { id: string; org_id: string; slug: string; name: string; created_at: string };
  datasets: {
    id: string;
    org_id: string;
    sha256: string;
    file_name: string;
    bytes: number;
    rows: number;
    format: string;
    created_at: string;
    /** How many uploads of it no job has named yet; their senders are about to. */
    unclaimed: number;
  };
  /** A project's names for data sets, as OpenAI's clients see them. */
  files: {
    /** `file-` and 32 hexadecimal digits. */
    id: string;
    number: number;
    project_id: string;
    dataset_id: string;
    name: string;
    created_at: string;
  };
  jobs: {
    id: string;
    /** Counts up in order of creation. Times may be equal, numbers are not. */
    number: number;
    org_id: string;
    project_id: string;
    name: string;
    status: JobStatus;
    /** JSON without secrets. */
    config: string;
    error: string | null;
    created_at: string;
    started_at: string | null;
    completed_at: string | null;
    step: number | null;
    total_steps: number | null;
    artifact_count: number;
    /** How often the job was started. Only the latest attempt's events are recorded. */
    attempt: number;
    /** The number of its last event. */
    last_seq: number;
    /** The base model that it first ran on. */
    base_digest: string | null;
    /** Set while it is paused. Without meaning once it has ended. */
    paused_at: string | null;
    /** The name of its trainer: the job's own first name, unless it was given another. */
    trainer: string | null;
    /** A list as JSON; null for none. */
    tags: string | null;
    note: string | null;
    /** The sweep that it belongs to, as JSON. */
    job_group: string | null;
    /** The last training and evaluation losses, and the lowest ones. */
    loss: number | null;
    eval_loss: number | null;
    lowest_loss: number | null;
    lowest_eval_loss: number | null;
    /** As JSON, if its trainer has chosen a score to find the best adapter by. */
    best_score: string | null;
  };
  /** Attempts that workers elsewhere have, or may claim. */
  attempts: {
    job_id: string;
    attempt: number;
    /** SHA-256 of the tokens. */
    claim_hash: string;
    run_hash: string | null;
    /** The machine that claimed it. */
    worker: string | null;
    /** How many of that worker's events are recorded. */
    next: number;
  };
  events: { job_id: string; seq: number; type: string; payload: string; at: string };
  artifacts: {
    job_id: string;
    name: string;
    kind: 'final' | 'checkpoint';
    step: number;
    bytes: number;
    sha256: string;
  };
  /** What jobs have that were created by OpenAI's clients. */
  fine_tunings: {
    job_id: string;
    /** The IDs of files, which may have been deleted since. */
    training_file: string;
    validation_file: string | null;
    /** JSON: an object of texts. */
    metadata: string | null;
  };
  job_datasets: { job_id: string; dataset_id: string };
  /** A download for a job, made once so that every attempt reads the same bytes. */
  job_downloads: {
    job_id: string;
    role: 'training' | 'evaluation';
    /** Its name in the folder of downloads. Null if fetching it takes a secret that is only in memory. */
    file: string | null;
    /** Its name in messages, which tells the format. */
    name: string | null;
  };
  /** Every label that was ever given out, and to whom; it stays theirs. */
  slugs: { slug: string; org_id: string };
  deployments: {
    id: string;
    number: number;
    org_id: string;
    project_id: string;
    slug: string;
    target_kind: 'final' | 'checkpoint' | 'base_model';
    target_job_id: string | null;
    target_step: number | null;
    target_model: string | null;
    auth_mode: AuthMode;
    enabled: Flag;
    retention_mode: 'unlimited' | 'disabled' | 'days';
    retention_days: number | null;
    created_at: string;
    updated_at: string;
    /** A list as JSON. */
    operations: string;
    /** A list as JSON. */
    cors_origins: string;
    /** As JSON, what it follows; null if its target is fixed. */
    follows: string | null;
    /** Since when it has its target; null if always. */
    target_since: string | null;
    /** Its targets before that, as JSON. */
    earlier_targets: string;
    /** Whether its requests are kept, in their own database. */
    keep_requests: Flag;
  };
  /** Requests that created something, by their caller's key. A repeated request gets the same answer. */
  idempotency_keys: {
    /** An identity's ID, or a substitute for callers without one. */
    caller: string;
    key: string;
    /** SHA-256 of the request. */
    request_hash: string;
    /** What the answer is built from, as JSON. Never a secret. */
    noted: string;
    created_at: string;
  };
  /** Of a deployment, for its own address, or of a project, for all of its models. */
  keys: {
    id: string;
    deployment_id: string | null;
    project_id: string | null;
    number: number;
    label: string;
    prefix: string;
    hash: string;
    enabled: Flag;
    created_at: string;
    last_used_at: string | null;
  };
}

// A cloud's tables. Whoever changes them raises the version in `schema.ts`.
import {
  AUTH_MODES,
  BATCH_STATUSES,
  JOB_STATUSES,
  STORED_PURPOSES,
  UPLOAD_PURPOSES,
} from '../../contract/index.js';
import { flag, integer, keyed, oneOf, orNull, type Row, real, type Table, table, text } from './columns.js';
import { jobColumns, measureColumns } from './fields.js';

const ofJob = () => text('REFERENCES jobs (id) ON DELETE CASCADE');

export const TABLES = {
  identities: table(
    {
      id: text('PRIMARY KEY'),
      mode: oneOf('anonymous', 'oauth'),
      /** The anonymous ID, or the issuer's subject. */
      subject: text(),
      issuer: text("DEFAULT ''"),
      email: orNull(text()),
      /** SHA-256 of an anonymous identity's token. */
      token_hash: orNull(text('UNIQUE')),
      created_at: text(),
    },
    'UNIQUE (issuer, subject)',
  ),
  orgs: table({ id: text('PRIMARY KEY'), slug: text('UNIQUE'), name: text(), created_at: text() }),
  memberships: keyed(
    {
      identity_id: text('REFERENCES identities (id) ON DELETE CASCADE'),
      org_id: text('REFERENCES orgs (id) ON DELETE CASCADE'),
    },
    'PRIMARY KEY (identity_id, org_id)',
  ),
  projects: table(
    {
      id: text('PRIMARY KEY'),
      org_id: text('REFERENCES orgs (id) ON DELETE CASCADE'),
      slug: text(),
      name: text(),
      created_at: text(),
    },
    'UNIQUE (org_id, slug)',
  ),
  datasets: table(
    {
      id: text('PRIMARY KEY'),
      org_id: text('REFERENCES orgs (id) ON DELETE CASCADE'),
      sha256: text(),
      file_name: text(),
      bytes: integer(),
      /** 0 for content that is not trained on, whose format is `bytes`. */
      rows: integer(),
      format: text(),
      created_at: text(),
      /** How many uploads of it no job has named yet. */
      unclaimed: integer('DEFAULT 0'),
    },
    'UNIQUE (org_id, sha256, format)',
  ),
  /** A project's names for data sets and other content, as OpenAI's clients see them. */
  files: table({
    /** `file-` and 32 hexadecimal digits. */
    id: text('PRIMARY KEY'),
    number: integer('UNIQUE'),
    project_id: text('REFERENCES projects (id) ON DELETE CASCADE'),
    dataset_id: text('REFERENCES datasets (id)'),
    name: text(),
    created_at: text(),
    purpose: oneOf(...STORED_PURPOSES),
    /** When it is deleted; null if it is kept until someone deletes it. */
    expires_at: orNull(text()),
  }),
  /** Files that arrive in parts. */
  uploads: keyed({
    /** `upload_` and 32 hexadecimal digits. */
    id: text('PRIMARY KEY'),
    project_id: text('REFERENCES projects (id) ON DELETE CASCADE'),
    name: text(),
    purpose: oneOf(...UPLOAD_PURPOSES),
    bytes: integer(),
    status: oneOf('pending', 'completed', 'cancelled'),
    /** After how long its file expires; null for the default. */
    file_seconds: orNull(integer()),
    /** Its file, which may have been deleted since. */
    file_id: orNull(text()),
    created_at: text(),
    expires_at: text(),
  }),
  batches: table({
    /** `batch_` and 32 hexadecimal digits. */
    id: text('PRIMARY KEY'),
    number: integer('UNIQUE'),
    project_id: text('REFERENCES projects (id) ON DELETE CASCADE'),
    /** The key that created it. */
    caller: text(),
    status: oneOf(...BATCH_STATUSES),
    endpoint: text(),
    /** The IDs of files, which may have been deleted once it has ended. */
    input_file_id: text(),
    output_file_id: orNull(text()),
    error_file_id: orNull(text()),
    /** After how long its files expire; null for the default. */
    output_seconds: orNull(integer()),
    model: orNull(text()),
    /** JSON, as the three after it. */
    metadata: orNull(text()),
    errors: orNull(text()),
    usage: orNull(text()),
    /** When it got its statuses, in Unix seconds. */
    times: text(),
    total: integer(),
    /** Not up to date while it runs. */
    completed: integer(),
    failed: integer(),
    created_at: text(),
    expires_at: text(),
  }),
  jobs: table({
    ...jobColumns,
    id: text('PRIMARY KEY'),
    org_id: text('REFERENCES orgs (id)'),
    project_id: text('REFERENCES projects (id)'),
    status: oneOf(...JOB_STATUSES),
    /** Increases in order of creation. Times may be equal, numbers are not. */
    number: integer('UNIQUE'),
    /** JSON without secrets. */
    config: text(),
    /** How many times the job was started. Only the latest attempt's events are recorded. */
    attempt: integer('DEFAULT 0'),
    /** The last event's number. */
    last_seq: integer('DEFAULT 0'),
    /** The base model of its first run. */
    base_digest: orNull(text()),
    /** JSON of its task. */
    task: orNull(text()),
    /** Set while it is paused. Meaningless once it has ended. */
    paused_at: orNull(text()),
  }),
  /** Attempts that remote workers are running or may claim. */
  attempts: keyed(
    {
      job_id: ofJob(),
      attempt: integer(),
      /** SHA-256 of the tokens. */
      claim_hash: text(),
      run_hash: orNull(text()),
      /** The machine that claimed it. */
      worker: orNull(text()),
      /** How many of the worker's events are recorded. */
      next: integer(),
    },
    'PRIMARY KEY (job_id, attempt)',
  ),
  /** All events except steps. */
  events: keyed(
    { job_id: ofJob(), seq: integer(), type: text(), payload: text(), at: text() },
    'PRIMARY KEY (job_id, seq)',
  ),
  /** The `training.log` events. */
  steps: keyed(
    {
      job_id: ofJob(),
      /** The event's number. */
      seq: integer(),
      /** In milliseconds since the epoch. */
      at: integer(),
      ...measureColumns,
      step: real(),
      /** The event as JSON if these columns cannot hold all of it. */
      payload: orNull(text()),
    },
    'PRIMARY KEY (job_id, seq)',
  ),
  /** Of some steps of a run that learns from rewards. */
  job_answers: keyed(
    {
      job_id: ofJob(),
      step: integer(),
      /** JSON. */
      payload: text(),
    },
    'PRIMARY KEY (job_id, step)',
  ),
  artifacts: keyed(
    {
      job_id: ofJob(),
      name: text(),
      kind: oneOf('final', 'checkpoint'),
      step: integer(),
      bytes: integer(),
      sha256: text(),
    },
    'PRIMARY KEY (job_id, name)',
  ),
  /** Extra data of jobs created by OpenAI's clients. */
  fine_tunings: keyed({
    job_id: text('PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE'),
    /** The IDs of files, which may have been deleted since. */
    training_file: text(),
    validation_file: orNull(text()),
    /** JSON: an object with string values. */
    metadata: orNull(text()),
  }),
  job_datasets: keyed(
    { job_id: ofJob(), dataset_id: text('REFERENCES datasets (id)') },
    'PRIMARY KEY (job_id, dataset_id)',
  ),
  /** A job's download, made once so that every attempt reads the same bytes. */
  job_downloads: keyed(
    {
      job_id: ofJob(),
      role: oneOf('training', 'evaluation'),
      /** Its name in the downloads folder. Null if fetching it takes a secret that is only in memory. */
      file: orNull(text()),
      /** Its name in messages, which tells the format. */
      name: orNull(text()),
    },
    'PRIMARY KEY (job_id, role)',
  ),
  /** Every label ever assigned, with its organization, which keeps it. */
  slugs: keyed({ slug: text('PRIMARY KEY'), org_id: text('REFERENCES orgs (id)') }),
  deployments: table(
    {
      id: text('PRIMARY KEY'),
      number: integer('UNIQUE'),
      org_id: text('REFERENCES orgs (id)'),
      project_id: text('REFERENCES projects (id)'),
      slug: text('UNIQUE REFERENCES slugs (slug)'),
      /** JSON. */
      target: text(),
      auth_mode: oneOf(...AUTH_MODES),
      enabled: flag(),
      retention_mode: oneOf('unlimited', 'disabled', 'days'),
      retention_days: orNull(integer()),
      created_at: text(),
      updated_at: text(),
      /** Lists as JSON. */
      operations: text(`DEFAULT '["chat"]'`),
      cors_origins: text("DEFAULT '[]'"),
      /** JSON of the followed source; null if its target is fixed. */
      follows: orNull(text()),
      /** When it got its target; null if it always had it. */
      target_since: orNull(text()),
      /** Its earlier targets, as JSON. */
      earlier_targets: text("DEFAULT '[]'"),
      /** Whether its requests are kept, in their own database. */
      keep_requests: flag('DEFAULT 0'),
      canary: orNull(text()),
      require_gate: flag('DEFAULT 0'),
    },
    // A job stays while an endpoint serves one of its adapters.
    `target_job_id TEXT GENERATED ALWAYS AS (json_extract(target, '$.adapter.jobId')) STORED REFERENCES jobs (id)`,
  ),
  /** Scored answers. An adapter's evaluations are deleted with its job. */
  evaluations: table({
    id: text('PRIMARY KEY'),
    number: integer('UNIQUE'),
    project_id: text('REFERENCES projects (id) ON DELETE CASCADE'),
    /** The job of the adapter that answered; null for a base model. */
    job_id: orNull(ofJob()),
    /** The slug of the endpoint that it was asked as, if any. */
    endpoint: orNull(text()),
    /** JSON, without its rows. */
    document: text(),
    created_at: text(),
  }),
  evaluation_rows: keyed(
    {
      evaluation_id: text('REFERENCES evaluations (id) ON DELETE CASCADE'),
      /** From 0, worst first. */
      rank: integer(),
      /** Whether the answers of a comparison differ. */
      changed: flag(),
      /** JSON. */
      payload: text(),
    },
    'PRIMARY KEY (evaluation_id, rank)',
  ),
  /** Keys of a deployment, for its own address, or of a project, for all of its models. */
  keys: table(
    {
      id: text('PRIMARY KEY'),
      deployment_id: orNull(text('REFERENCES deployments (id) ON DELETE CASCADE')),
      project_id: orNull(text('REFERENCES projects (id) ON DELETE CASCADE')),
      number: integer('UNIQUE'),
      label: text(),
      prefix: text(),
      hash: text('UNIQUE'),
      enabled: flag(),
      created_at: text(),
      last_used_at: orNull(text()),
    },
    'CHECK ((deployment_id IS NULL) <> (project_id IS NULL))',
  ),
  /** Requests that created something, by the caller's key. A repeated request gets the same answer. */
  idempotency_keys: keyed(
    {
      /** An identity's ID, or a substitute for callers without one. */
      caller: text(),
      key: text(),
      /** SHA-256 of the request. */
      request_hash: text(),
      /** The data for building the answer, as JSON. Never a secret. */
      noted: text(),
      created_at: text(),
    },
    'PRIMARY KEY (caller, key)',
  ),
} satisfies Record<string, Table<object>>;

export type Tables = { [Name in keyof typeof TABLES]: Row<(typeof TABLES)[Name]['columns']> };

// Resolves a caller's reference to a saved adapter, always through a row of the caller's organization, never through a path,
// and tells whether its files can be used: missing ones and changed sizes are cheap to detect; damage that only the engine finds
// is remembered until they change.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AdapterRef,
  ApiError,
  type Artifact,
  type JobOrigin,
  type JobStatus,
  type TemplateVariables,
  templateVariablesOf,
} from '../../contract/index.js';
import { ADAPTER_FILES, type FileReader } from '../../engine/index.js';
import { isMissing } from '../../system/index.js';
import type { Folders } from '../disk/folders.js';
import type { Db } from '../store/db.js';
import { listArtifacts } from './adapter-store.js';

export interface FoundAdapter {
  folder: string;
  sha256: string;
  jobId: string;
  step: number;
  /** The base model it was trained on. The digest is null if unknown. */
  trainedOn: { model: string; digest: string | null };
  /** What its rows were rendered with. */
  variables?: TemplateVariables | undefined;
  /** Null if no damage to its files is known. */
  damage: Damage;
  /** Records that the engine could not read its files. */
  noteDamage(): Promise<void>;
  /**
   * Checks that the files are still what the job saved. Reads them completely, unless they are unchanged since the last
   * check.
   */
  verify(): Promise<boolean>;
}

/**
 * Throws `target_not_found` with a list of what exists. To store the reference, call this inside the transaction that
 * stores it, so that the job cannot be deleted in between.
 */
export type FindAdapter = (
  orgId: string,
  ref: AdapterRef,
  db?: Pick<Db, 'selectFrom'>,
) => Promise<FoundAdapter>;

export function createAdapterFinder({
  db: own,
  folders,
  isIntact,
}: {
  db: Db;
  folders: Folders;
  isIntact: IsIntact;
}): FindAdapter {
  const damages = watchDamage();
  return async (orgId, ref, db = own) => {
    const { jobId } = ref;
    const { job, artifact: found } = await findArtifact(db, orgId, ref);
    const folder = folders.adapter(jobId, found);
    const config = JSON.parse(job.config) as { model: string; enableThinking?: boolean };
    const { model } = config;
    const trainedOn = { model, digest: job.base_digest };
    const damage = await damages.look(folder, found.bytes);
    const noteDamage = () => damages.note(folder);
    const verify = async () => {
      const intact = await isIntact(folder, found.sha256, orgId);
      if (!intact) await noteDamage();
      return intact;
    };
    const { sha256, step } = found;
    const variables = templateVariablesOf(config);
    return { folder, sha256, jobId, step, trainedOn, variables, damage, noteDamage, verify };
  };
}

/** The adapter's row and its job's. Throws as `FindAdapter` does. */
export async function findArtifact(db: Pick<Db, 'selectFrom'>, orgId: string, ref: AdapterRef) {
  const { jobId } = ref;
  const job = await db
    .selectFrom('jobs')
    .select(['status', 'config', 'base_digest', 'origin'])
    .where('id', '=', jobId)
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  if (!job) throw notFound(`Job ${jobId} not found.`);
  const artifacts = await listArtifacts(db, jobId);
  const artifact = artifacts.find(
    ({ kind, step }) => kind === ref.kind && (ref.kind === 'final' || step === ref.step),
  );
  if (!artifact)
    throw notFound(describeElsewhere(jobId, job.origin) ?? describeMiss(ref, job.status, artifacts));
  return { job, artifact };
}

function describeMiss(ref: AdapterRef, status: JobStatus, artifacts: readonly Artifact[]): string {
  const what = ref.kind === 'final' ? 'no final adapter' : `no checkpoint at step ${ref.step}`;
  const why = ref.kind === 'final' && status !== 'completed' ? `: it is ${status}` : '';
  return `Job ${ref.jobId} has ${what}${why}. It has ${listThere(artifacts)}.`;
}

/** Why an imported job has no adapter; null if svc trained the job. */
export function describeElsewhere(jobId: string, origin: string | null): string | null {
  if (origin === null) return null;
  const { provider } = JSON.parse(origin) as JobOrigin;
  return `Job ${jobId} was imported from ${provider}: its weights stay there, so it has no adapter here. Train it again with svc to get one.`;
}

export function listThere(artifacts: readonly Artifact[]): string {
  const steps = artifacts.filter(({ kind }) => kind === 'checkpoint').map(({ step }) => step);
  const parts = [
    ...(steps.length > 0 ? [`checkpoints at step ${steps.join(', ')}`] : []),
    ...(artifacts.some(({ kind }) => kind === 'final') ? ['a final adapter'] : []),
  ];
  return parts.join(' and ') || 'none yet';
}

export function filesMissing(jobId: string, name: string): ApiError {
  return notFound(`The files of ${name} of job ${jobId} are missing from the cloud's disk.`);
}

function notFound(message: string): ApiError {
  return new ApiError('target_not_found', message);
}

/** `seen` by checking sizes, or `found` by the engine; null if no damage is known. */
type Damage = 'seen' | 'found' | null;

function watchDamage() {
  const found = new Map<string, string>();
  return {
    /** `bytes`: the total size of its files. */
    async look(folder: string, bytes: number): Promise<Damage> {
      const files = await statAdapter(folder);
      if (files?.bytes !== bytes) return 'seen';
      return found.get(folder) === files.version ? 'found' : null;
    },
    /** Records that the engine could not read it. */
    async note(folder: string): Promise<void> {
      const files = await statAdapter(folder);
      if (files) found.set(folder, files.version);
    },
  };
}

/** Null if a file is missing. The version changes whenever a file is written. */
export async function statAdapter(folder: string): Promise<{ bytes: number; version: string } | null> {
  try {
    const stats = await Promise.all(ADAPTER_FILES.map(file => stat(join(folder, file))));
    return {
      bytes: stats.reduce((sum, { size }) => sum + size, 0),
      version: stats.map(({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`).join('\n'),
    };
  } catch {
    return null;
  }
}

/** Retries get the same answer until someone repairs the adapter. */
export function adapterDamaged(): ApiError {
  return new ApiError(
    'adapter_damaged',
    'This adapter cannot be used: its files are damaged or missing in the cloud, or its values are too large. Use another checkpoint, or train again.',
    { headers: { 'x-should-retry': 'false' } },
  );
}

/** `caller` is the organization waiting for it. */
export type IsIntact = (folder: string, sha256: string, caller: string) => Promise<boolean>;

/** Compares an adapter with the digest that its job reported, when it is first served and whenever its files change. */
export function createAdapterVerifier(files: FileReader): IsIntact {
  const known = new Map<string, { version: string; intact: Promise<boolean> }>();

  async function compare(folder: string, sha256: string, caller: string): Promise<boolean> {
    try {
      return (await files.run('digestAdapter', { folder }, { caller })) === sha256;
    } catch (error) {
      // Deleted since the lookup.
      if (isMissing(error)) return false;
      throw error;
    }
  }

  return async (folder, sha256, caller) => {
    const version = (await statAdapter(folder))?.version ?? 'missing';
    const last = known.get(folder);
    if (last?.version === version) return last.intact;
    const intact = compare(folder, sha256, caller);
    known.set(folder, { version, intact });
    // A failed read may succeed next time.
    intact.catch(() => known.delete(folder));
    return intact;
  };
}

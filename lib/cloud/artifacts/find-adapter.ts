// Resolves a caller's reference to a saved adapter, always through a row of the caller's organization, never through a path.
import {
  type AdapterRef,
  ApiError,
  type Artifact,
  type JobOrigin,
  type JobStatus,
  type TemplateVariables,
  templateVariablesOf,
} from '../../contract/index.js';
import type { Folders } from '../disk/folders.js';
import type { Db } from '../store/db.js';
import { type Damage, type IsIntact, watchDamage } from './adapter-damage.js';
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

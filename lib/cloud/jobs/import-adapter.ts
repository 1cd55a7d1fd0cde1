// Creates a completed job for an adapter that was trained elsewhere. The files are checked and in place before the row
// exists, so a job never lacks them; leftovers of a crash are collected as garbage.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Transaction } from 'kysely';
import { type AdapterImport, ApiError, type Artifact, type Job } from '../../contract/index.js';
import type { CheckedAdapter } from '../../engine/index.js';
import { syncFolder } from '../../system/index.js';
import { insertArtifacts, linkAdapter } from '../artifacts/adapter-store.js';
import type { ProjectScope } from '../auth/authorize.js';
import { advanceFollowers } from '../deployments/targets.js';
import { type IdempotentRequest, once } from '../store/once.js';
import type { Tables } from '../store/tables.js';
import { checkAdapter, receiveAdapter } from './adapter-archive.js';
import { insertJob } from './create-job.js';
import type { JobContext } from './job-context.js';
import { openJobLog } from './job-log.js';
import { findJob, toJob } from './job-rows.js';

interface Upload {
  body: AsyncIterable<Uint8Array>;
  signal: AbortSignal;
}

const DEFAULT_NAME = 'imported adapter';
/** Same as for training. */
const HIGHEST_RANK = 1024;

export async function importAdapter(
  context: JobContext,
  scope: ProjectScope,
  given: AdapterImport,
  { body, signal }: Upload,
  idempotency: IdempotentRequest,
): Promise<Job> {
  const { baseModel } = context.deps;
  return context.desk.reserve(async folder => {
    await receiveAdapter(body, folder);
    const input = { folder, modelFolder: baseModel.folder };
    const adapter = await checkAdapter(context.files, input, { caller: scope.orgId, signal });
    requireRank(adapter);
    if (!given.sameBaseModel) requireBaseModel(adapter, baseModel.name);
    const request = [idempotency.request, adapter.sha256];
    const name = given.name ?? DEFAULT_NAME;
    const { enableThinking } = given;
    return storeJob(context, scope, { name, enableThinking, folder, adapter }, { ...idempotency, request });
  });
}

function requireRank({ rank }: CheckedAdapter): void {
  if (rank <= HIGHEST_RANK) return;
  throw new ApiError(
    'adapter_invalid',
    `adapter_config.json: r is ${rank}; it must be at most ${HIGHEST_RANK}.`,
  );
}

/** On another base model, an adapter's output is meaningless even if its shape fits. */
function requireBaseModel({ baseModel: named }: CheckedAdapter, own: string): void {
  if (named === own) return;
  const what = named === null ? 'names no base model' : `has \`${named}\` as its base model`;
  throw new ApiError(
    'model_not_supported',
    `adapter_config.json ${what} (base_model_name_or_path); this cloud serves \`${own}\`.`,
    { param: 'sameBaseModel' },
  );
}

interface Import extends Pick<AdapterImport, 'enableThinking'> {
  name: string;
  /** Where its files are now. */
  folder: string;
  adapter: CheckedAdapter;
}

async function storeJob(
  context: JobContext,
  scope: ProjectScope,
  imported: Import,
  idempotency: IdempotentRequest,
): Promise<Job> {
  const { db, changes, importing, clock } = context;
  const id = randomUUID();
  importing.add(id);
  try {
    const artifact = await placeFiles(context, id, imported);
    const { answer, isNew } = await once({ db, now: new Date(clock.now()) }, idempotency, {
      create: async transaction => {
        await insertRows(context, transaction, { id, scope, imported, artifact });
        return toJob(await findJob(transaction, scope, id), context.waits);
      },
    });
    if (isNew) changes.announce({ id, project_id: scope.projectId });
    else await removeFiles(context, id);
    return answer;
  } catch (error) {
    await removeUnlessStored(context, id);
    throw error;
  } finally {
    importing.delete(id);
  }
}

async function placeFiles(
  { folders }: JobContext,
  id: string,
  { folder, adapter }: Import,
): Promise<Artifact> {
  const place = { kind: 'final', step: 0 } as const;
  if (!(await linkAdapter(folder, folders.adapter(id, place)))) throw new Error('The upload was removed.');
  await syncFolder(folders.job(id));
  await syncFolder(folders.jobs);
  return { name: 'final', ...place, bytes: adapter.bytes, sha256: adapter.sha256 };
}

interface Rows {
  id: string;
  scope: ProjectScope;
  imported: Import;
  artifact: Artifact;
}

async function insertRows(
  { deps, clock }: JobContext,
  transaction: Transaction<Tables>,
  { id, scope, imported, artifact }: Rows,
): Promise<void> {
  const { name, adapter, enableThinking } = imported;
  const at = new Date(clock.now());
  const config = {
    ...toConfig(adapter, deps.baseModel.name),
    ...(enableThinking !== undefined && { enableThinking }),
  };
  const job = await insertJob(transaction, at, { id, scope, name, config });
  await insertArtifacts(transaction, id, [artifact]);
  const log = openJobLog(job);
  log.append(
    {
      type: 'training.completed',
      jobId: id,
      timestamp: at.toISOString(),
      artifacts: [artifact],
      metrics: {},
      imported: true,
    },
    { base_digest: deps.baseModel.digest ?? null },
  );
  log.end('completed', at);
  await log.write(transaction);
  await advanceFollowers(transaction, { jobId: id, projectId: scope.projectId }, at.toISOString());
}

/** Only what the adapter's own config says, since its training is unknown. */
function toConfig({ rank, alpha, dropout, useRslora, modules, baseModel }: CheckedAdapter, model: string) {
  return {
    model,
    imported: true,
    ...(baseModel !== model && { adapterBaseModel: baseModel }),
    loraR: rank,
    loraAlpha: alpha,
    loraDropout: dropout,
    ...(useRslora && { useRslora }),
    targetModules: modules,
  };
}

/** A commit can be reported as failed although it succeeded. If that cannot be checked now, the files stay as garbage. */
async function removeUnlessStored(context: JobContext, id: string): Promise<void> {
  try {
    const row = await context.db.selectFrom('jobs').select('id').where('id', '=', id).executeTakeFirst();
    if (!row) await removeFiles(context, id);
  } catch (error) {
    context.deps.log({ message: `The files of the failed import ${id} could not be removed.`, error });
  }
}

async function removeFiles({ folders }: JobContext, id: string): Promise<void> {
  await rm(folders.job(id), { recursive: true, force: true });
}

// Has the local cloud serve an adapter from a folder: imports it once for each digest, into a project for packages, and makes
// an endpoint of it, which needs no key.
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import type { CloudClient } from '../client/index.js';
import {
  ApiError,
  type Deployment,
  isSameModel,
  type NamedModel,
  readThinking,
  type Target,
} from '../contract/index.js';
import { ADAPTER_FILES } from '../engine/run-layout.js';
import { describeAdapter } from '../engine/train/digests.js';
import { isMissing } from '../system/index.js';
import { toTarBlob } from '../tar/index.js';
import { withFileLock } from './files/file-lock.js';
import { type Env, findHome, makeFolder } from './files/files.js';
import { IN_HOME } from './files/not-writable.js';
import { openSession } from './session/session.js';

export interface ServedAdapter {
  name: string;
  folder: string;
  sha256: string;
  baseModel: string;
  baseModelDigest?: string;
  /** As its trainer's option. */
  enableThinking?: boolean;
}

/** Returns the endpoint's URL with `/v1`. */
export async function serveAdapter(adapter: ServedAdapter, env: Env = process.env): Promise<string> {
  await requireIntact(adapter);
  const home = join(findHome(env), 'packages');
  makeFolder(home, { mode: 0o700, elsewhere: IN_HOME });
  const session = openSession({ folder: home, env, isLocal: true });
  const cloud = await session.projectClient();
  await requireBaseModel(cloud, adapter);
  // Two programs that start at the same time import it once.
  const endpoint = await withFileLock(join(home, 'serve.lock'), () => ensureEndpoint(cloud, adapter));
  return `${endpoint.pathUrl ?? endpoint.url}/v1`;
}

async function requireIntact({ name, folder, sha256 }: ServedAdapter): Promise<void> {
  const found = await describeAdapter(folder, 'final', 0).catch(error => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (found?.sha256 === sha256) return;
  const problem = found ? `has the digest ${found.sha256}, not ${sha256}` : `is not complete in ${folder}`;
  throw new ApiError('adapter_damaged', `The adapter of ${name} ${problem}. Install the package again.`);
}

/** On another base model, answers would be meaningless. */
async function requireBaseModel(cloud: CloudClient, adapter: ServedAdapter): Promise<void> {
  const { baseModel: served } = await cloud.getBaseModel();
  const needed = { name: adapter.baseModel, digest: adapter.baseModelDigest };
  if (isSameModel(needed, served)) return;
  throw new ApiError(
    'model_not_supported',
    `${adapter.name} needs the base model ${nameWithDigest(needed)}, but the local cloud serves ${nameWithDigest(served)}. ${adviceFor(needed, served)}`,
  );
}

function adviceFor(needed: NamedModel, served: NamedModel): string {
  if (needed.name !== served.name)
    return `Run "svc cloud stop", then "svc cloud start --base-model ${needed.name}".`;
  return 'The adapter was trained on other files of that name. Start the cloud with those (for the model that svc brings: with the version of svc that made the package), or train the adapter again.';
}

/** `a/b (0f1e2d3c4b5a)` */
function nameWithDigest({ name, digest }: NamedModel): string {
  return digest ? `${name} (${digest.slice(0, DIGITS)})` : name;
}

async function ensureEndpoint(cloud: CloudClient, adapter: ServedAdapter): Promise<Deployment> {
  const slug = slugFor(adapter);
  const { deployments } = await cloud.listDeployments();
  const known = deployments.find(deployment => deployment.slug === slug);
  if (known?.enabled && !known.problem && (await serves(cloud, known, adapter))) return known;
  const imported = known?.problem ? null : await findImported(cloud, adapter);
  const jobId = imported ?? (await importFiles(cloud, adapter));
  const target: Target = { kind: 'adapter', adapter: { kind: 'final', jobId } };
  const { deployment } = known
    ? await cloud.updateDeployment(known.id, { target, authMode: 'none', enabled: true })
    : await cloud.createDeployment({ slug, target, authMode: 'none' });
  return deployment;
}

async function serves(cloud: CloudClient, { target, authMode }: Deployment, adapter: ServedAdapter) {
  return authMode === 'none' && target.kind === 'adapter' && hasAdapter(cloud, target.adapter.jobId, adapter);
}

/** Whether a job has the files, and answers as they were trained to. */
async function hasAdapter(
  cloud: CloudClient,
  jobId: string,
  { sha256, enableThinking }: ServedAdapter,
): Promise<boolean> {
  const { artifacts } = await cloud.listArtifacts(jobId);
  if (!artifacts.some(artifact => artifact.kind === 'final' && artifact.sha256 === sha256)) return false;
  return readThinking((await cloud.getJob(jobId)).job.config) === enableThinking;
}

/** An import whose endpoint was deleted or never made. */
async function findImported(cloud: CloudClient, adapter: ServedAdapter): Promise<string | null> {
  const { jobs } = await cloud.listJobs();
  for (const { id, name } of jobs)
    if (name === jobNameFor(adapter) && (await hasAdapter(cloud, id, adapter))) return id;
  return null;
}

async function importFiles(cloud: CloudClient, adapter: ServedAdapter): Promise<string> {
  const files = ADAPTER_FILES.map(async name => ({
    name,
    content: await openAsBlob(join(adapter.folder, name)),
  }));
  const archive = toTarBlob(await Promise.all(files));
  const { enableThinking } = adapter;
  const request = { name: jobNameFor(adapter), sameBaseModel: true, enableThinking };
  const { job } = await cloud.importAdapter(request, archive);
  return job.id;
}

const DIGITS = 12;

/** `@me/triage 0f1e2d3c4b5a` */
function jobNameFor({ name, sha256 }: ServedAdapter): string {
  return `${name.slice(0, 80)} ${sha256.slice(0, DIGITS)}`;
}

/** `triage-0f1e2d3c4b5a`, or with `-thinks` or `-answers` after it */
function slugFor({ name, sha256, enableThinking }: ServedAdapter): string {
  const plain = name
    .replace(/^@[^/]*\//, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 36)
    .replace(/^-+|-+$/g, '');
  const way = enableThinking === undefined ? '' : enableThinking ? '-thinks' : '-answers';
  return `${plain || 'adapter'}-${sha256.slice(0, DIGITS)}${way}`;
}

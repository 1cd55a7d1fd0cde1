// From a word to what is asked: `base`, `latest` or `latest:NAME`, an endpoint's slug, or a job with or without a checkpoint.
import { resolve } from 'node:path';
import type { CloudClient } from '../../client/index.js';
import {
  type AdapterRef,
  ApiError,
  type Deployment,
  isUuid,
  type JobSummary,
  readAdapterNotation,
  toAdapterRef,
} from '../../contract/index.js';
import type { Session } from '../session/session.js';
import { type AnswersOfFile, readAnswersOfFile } from './answers-of-file.js';
import type { EvaluationTarget } from './evaluate.js';

/** The newest completed job with an adapter, or that with a name; and a checkpoint of it. */
const LATEST = /^latest(?::(?<name>.+?))??(?::checkpoint:(?<step>\d+)|:final)?$/s;

/** Neither an endpoint nor a job is named so, but the trainer of the newest job may be. */
const ANSWER_FILE = /^(?!latest:).*\.jsonl$/is;

/** An endpoint's target is fixed here: if it changes meanwhile, all rows are still asked of the same model. */
export async function resolveTarget(session: Session, word: string): Promise<EvaluationTarget> {
  const cloud = await session.projectClient();
  if (word === 'base') {
    const baseModel = await session.baseModel();
    return { subject: { target: { kind: 'base_model', baseModel }, endpoint: null }, task: null };
  }
  const { deployments } = await cloud.listDeployments();
  const endpoint = deployments.find(({ slug }) => slug === word);
  return endpoint ? ofEndpoint(endpoint) : resolveAdapter(cloud, word);
}

/** What to compare with: one that is asked, or a file of answers in the folder. */
export function resolveOpponent(
  session: Session,
  word: string,
  folder: string,
): Promise<EvaluationTarget | AnswersOfFile> {
  return ANSWER_FILE.test(word) ? readAnswersOfFile(resolve(folder, word)) : resolveTarget(session, word);
}

export function ofEndpoint({ slug, target, task = null }: Deployment): EvaluationTarget {
  return { subject: { target, endpoint: slug }, task };
}

/** A job's adapter: `latest`, or an ID or its start, with or without a checkpoint. */
export async function resolveAdapter(cloud: CloudClient, word: string): Promise<EvaluationTarget> {
  const { jobs } = await cloud.listJobs();
  const newest = LATEST.exec(word)?.groups;
  const notation = newest ? null : readAdapterNotation(word);
  const typed = (notation?.jobId ?? word).toLowerCase();
  const step = newest?.step === undefined ? notation?.step : Number(newest.step);
  const found = newest
    ? newestWithAdapter(jobs, newest.name)
    : jobs.filter(({ id }) => id.toLowerCase().startsWith(typed));
  const [job, ...others] = found;
  if (!job) throw newest ? notCompleted(newest.name) : notFound(word, isUuid(typed));
  if (others.length > 0)
    throw new ApiError(
      'target_not_found',
      `${found.length} jobs have IDs that start with "${typed}". Type more.`,
    );
  const adapter = step === undefined ? await newestAdapter(cloud, job.id) : toAdapterRef(job.id, step);
  const { task = null } = (await cloud.getJob(job.id)).job;
  return { subject: { target: { kind: 'adapter', adapter }, endpoint: null }, task };
}

/** Dry runs and imported jobs complete without an adapter. */
function newestWithAdapter(jobs: readonly JobSummary[], named: string | undefined): JobSummary[] {
  const trained = jobs.filter(
    ({ status, name, artifactCount }) =>
      status === 'completed' && artifactCount > 0 && name === (named ?? name),
  );
  return trained.slice(0, 1);
}

/** The final adapter, or the last checkpoint of a job that has none yet. */
async function newestAdapter(cloud: CloudClient, jobId: string): Promise<AdapterRef> {
  const { artifacts } = await cloud.listArtifacts(jobId);
  if (artifacts.some(({ kind }) => kind === 'final')) return toAdapterRef(jobId, null);
  const steps = artifacts.map(({ step }) => step);
  if (steps.length === 0) throw new ApiError('target_not_found', `Job ${jobId} has saved no adapter.`);
  return toAdapterRef(jobId, Math.max(...steps));
}

function notCompleted(name: string | undefined): ApiError {
  const what = name === undefined ? 'No job' : `No job named "${name}"`;
  return new ApiError('target_not_found', `${what} of this project has completed with an adapter yet.`);
}

function notFound(word: string, isJob: boolean): ApiError {
  const what = isJob ? 'job' : 'job or endpoint';
  return new ApiError(
    'target_not_found',
    `There is no ${what} "${word}" in this project. "svc jobs list" and "svc endpoints list" show them; "base" is the base model.`,
  );
}

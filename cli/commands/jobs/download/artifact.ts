// An adapter to download: which of a job's it is, what to call it, and its archive.
import type { CloudClient } from '../../../../lib/client/index.js';
import { providerName } from '../../../../lib/console/index.js';
import { ApiError, type Artifact, type Job } from '../../../../lib/contract/index.js';
import { CommandError } from '../../../command.js';
import { findJob } from '../../project/find.js';
import { countOption } from '../../project/option-values.js';
import type { SessionContext } from '../../project/session-command.js';

export interface Download {
  input: SessionContext;
  cloud: CloudClient;
  job: Job;
  artifact: Artifact;
  signal: AbortSignal;
}

/** A file or folder that was saved. */
export interface Saved {
  folder: string;
  files: string[];
}

export async function openArchive({ cloud, job, artifact, signal }: Download) {
  const { body, headers } = await cloud.downloadArtifact(job.id, artifact.name, { signal });
  if (!body) throw new ApiError('unexpected_response', 'The cloud sent no data for the adapter.');
  return { body, headers };
}

/** The adapter of the command's job: the final one, or the checkpoint at `--step`. */
export async function findArtifact(input: SessionContext): Promise<Omit<Download, 'signal'>> {
  const step = countOption(input, 'step');
  const { cloud, id } = await findJob(input.session, input.positionals[0]!);
  const [{ job }, { artifacts }] = await Promise.all([cloud.getJob(id), cloud.listArtifacts(id)]);
  return { input, cloud, job, artifact: chooseArtifact(job, artifacts, step) };
}

function chooseArtifact(
  { origin }: Pick<Job, 'origin'>,
  artifacts: readonly Artifact[],
  step: number | undefined,
): Artifact {
  const found = artifacts.find(artifact =>
    step === undefined ? artifact.kind === 'final' : artifact.kind === 'checkpoint' && artifact.step === step,
  );
  if (found) return found;
  if (origin)
    throw new CommandError(
      `The job was imported from ${providerName(origin)}: its weights stay there, so there is no adapter here.\nTrain it again with svc to get one.`,
    );
  const steps = artifacts.filter(({ kind }) => kind === 'checkpoint').map(artifact => artifact.step);
  const what = step === undefined ? 'no final adapter' : `no checkpoint at step ${step}`;
  const next =
    steps.length > 0
      ? `Available checkpoints, for --step: ${steps.join(', ')}.`
      : 'Nothing has been saved yet.';
  throw new CommandError(`The job has ${what}.\n${next}`);
}

export function adapterText({ kind, step }: Artifact): string {
  return kind === 'final' ? 'final adapter' : `checkpoint at step ${step}`;
}

/** `triage-final`, `triage-step-40`. */
export function nameFor(jobName: string, { kind, step }: Artifact): string {
  return `${safeFileName(jobName, 'adapter')}-${kind === 'final' ? 'final' : `step-${step}`}`;
}

/** Safe as a file name, whatever the job's name. `otherwise`: if nothing of it is. */
export function safeFileName(jobName: string, otherwise: string): string {
  const plain = jobName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return plain || otherwise;
}

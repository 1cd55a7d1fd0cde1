// svc jobs download ID: saves an adapter as a folder in PEFT layout.
import { resolve } from 'node:path';
import { formatBytes, plural } from '../../../lib/console/index.js';
import { ApiError, type Artifact } from '../../../lib/contract/index.js';
import { CommandError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';
import { findJob } from '../project/find-job.js';
import { countOption, textOption } from '../project/option-values.js';
import { sessionCommand } from '../project/session-command.js';
import { unpackTar } from '../tar/unpack.js';

export const run = sessionCommand(async input => {
  const { positionals, session, io, answer } = input;
  const step = countOption(input, 'step', 'jobs download');
  const { cloud, id } = await findJob(session, positionals[0]!);
  const [{ job }, { artifacts }] = await Promise.all([cloud.getJob(id), cloud.listArtifacts(id)]);
  const artifact = chooseArtifact(artifacts, step);
  const folder = resolve(io.cwd, textOption(input, 'out') ?? folderNameFor(job.name, artifact));
  const stop = new AbortController();
  const stopListening = io.onSignal?.('SIGINT', () => stop.abort());
  try {
    const { body } = await cloud.downloadArtifact(id, artifact.name, { signal: stop.signal });
    if (!body) throw new ApiError('unexpected_response', 'The cloud sent no data for the adapter.');
    const files = await unpackTar(body, folder, stop.signal);
    answer({ artifact, folder, files }, () => {
      const size = formatBytes(artifact.bytes);
      return `${folder}  ${plural(files.length, 'file')}, ${size}, ${adapterText(artifact)}\n`;
    });
    return exitCode.ok;
  } catch (error) {
    if (stop.signal.aborted) return exitCode.interrupted;
    throw error;
  } finally {
    stopListening?.();
  }
});

function chooseArtifact(artifacts: readonly Artifact[], step: number | undefined): Artifact {
  const found = artifacts.find(artifact =>
    step === undefined ? artifact.kind === 'final' : artifact.kind === 'checkpoint' && artifact.step === step,
  );
  if (found) return found;
  const steps = artifacts.filter(({ kind }) => kind === 'checkpoint').map(artifact => artifact.step);
  const what = step === undefined ? 'no final adapter' : `no checkpoint at step ${step}`;
  const next =
    steps.length > 0
      ? `Available checkpoints, for --step: ${steps.join(', ')}.`
      : 'Nothing has been saved yet.';
  throw new CommandError(`The job has ${what}.\n${next}`);
}

function adapterText({ kind, step }: Artifact): string {
  return kind === 'final' ? 'final adapter' : `checkpoint at step ${step}`;
}

/** `triage-final`, `triage-step-40`: a plain name, whatever the job is called. */
function folderNameFor(name: string, { kind, step }: Artifact): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return `${plain || 'adapter'}-${kind === 'final' ? 'final' : `step-${step}`}`;
}

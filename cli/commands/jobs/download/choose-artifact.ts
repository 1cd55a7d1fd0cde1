// Which of a job's adapters to download, and what to call it.
import type { Artifact } from '../../../../lib/contract/index.js';
import { CommandError } from '../../../command-error.js';

/** The final one, or the checkpoint at this step. */
export function chooseArtifact(artifacts: readonly Artifact[], step: number | undefined): Artifact {
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

export function adapterText({ kind, step }: Artifact): string {
  return kind === 'final' ? 'final adapter' : `checkpoint at step ${step}`;
}

/** `triage-final`, `triage-step-40`: a plain name, whatever the job is called. */
export function nameFor(jobName: string, { kind, step }: Artifact): string {
  const plain = jobName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return `${plain || 'adapter'}-${kind === 'final' ? 'final' : `step-${step}`}`;
}

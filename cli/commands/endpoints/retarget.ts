// svc endpoints retarget SLUG [TARGET]: same URL, another adapter, or one that changes by itself.
import type { DeploymentChange } from '../../../lib/client/index.js';
import { type AdapterNotation, readAdapterNotation, toAdapterRef } from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import { createUsageError } from '../../command-error.js';
import { adapterOption } from '../project/adapter-option.js';
import { findJob } from '../project/find-job.js';
import { textOption } from '../project/option-values.js';
import { readFollow } from './follow-option.js';
import { updateCommand } from './update.js';

const WHERE = 'endpoints retarget';

export const run = updateCommand(async input => {
  const [, typed] = input.positionals;
  const follow = textOption(input, 'follow');
  const given = [typed, follow, textOption(input, 'job')].filter(value => value !== undefined);
  if (given.length !== 1)
    throw createUsageError('specify what to serve: TARGET, "--job ID" or "--follow WHAT".', WHERE);
  if (follow !== undefined) return { target: await readFollow(follow, input.session, WHERE) };
  const adapter = await adapterOption(input, input.session, WHERE);
  return { target: adapter ? { kind: 'adapter', adapter } : await readTarget(typed!, input.session) };
});

/** Returns notation without a job as it is: the update resolves it against the job that the endpoint serves. */
async function readTarget(typed: string, session: Session): Promise<DeploymentChange['target']> {
  const read = readAdapterNotation(typed);
  if (!read)
    throw createUsageError(
      `TARGET must be final, checkpoint:N, JOB_ID:final or JOB_ID:checkpoint:N, not "${typed}".`,
      WHERE,
    );
  if (read.jobId === null) return typed as AdapterNotation;
  return { kind: 'adapter', adapter: toAdapterRef((await findJob(session, read.jobId)).id, read.step) };
}

// svc endpoints retarget SLUG [TARGET]: the same address, another adapter.
import type { DeploymentChange } from '../../../lib/client/index.js';
import { type AdapterNotation, readAdapterNotation, toAdapterRef } from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import { createUsageError } from '../../command-error.js';
import { adapterOption } from '../project/adapter-option.js';
import { findJob } from '../project/find-job.js';
import { updateCommand } from './update.js';

const WHERE = 'endpoints retarget';

export const run = updateCommand(async input => {
  const [, typed] = input.positionals;
  const adapter = await adapterOption(input, input.session, WHERE);
  if ((typed === undefined) === (adapter === null))
    throw createUsageError('say which adapter to serve: TARGET or "--job ID".', WHERE);
  return { target: adapter ? { kind: 'adapter', adapter } : await readTarget(typed!, input.session) };
});

/** The notation itself where it names no job: which one the endpoint serves is found out with the change. */
async function readTarget(typed: string, session: Session): Promise<DeploymentChange['target']> {
  const read = readAdapterNotation(typed);
  if (!read)
    throw createUsageError(
      `"${typed}" is not final, checkpoint:N, JOB_ID:final or JOB_ID:checkpoint:N.`,
      WHERE,
    );
  if (read.jobId === null) return typed as AdapterNotation;
  return { kind: 'adapter', adapter: toAdapterRef((await findJob(session, read.jobId)).id, read.step) };
}

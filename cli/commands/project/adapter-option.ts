// The adapter that options name: a job's final one or one of its checkpoints. `--job` also takes the notation in which
// adapters are printed, `ID:final` and `ID:checkpoint:N`.
import { type AdapterRef, readAdapterNotation, toAdapterRef } from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import type { Input } from '../../command.js';
import { createUsageError } from '../../command-error.js';
import { findJob } from './find-job.js';
import { countOption, textOption } from './option-values.js';

/** Null without `--job`. `where` is the command. */
export async function adapterOption(
  input: Pick<Input, 'values'>,
  session: Session,
  where: string,
): Promise<AdapterRef | null> {
  const typed = textOption(input, 'job');
  const step = countOption(input, 'step', where) ?? null;
  if (typed === undefined) {
    if (step !== null) throw createUsageError('option "--step" requires "--job".', where);
    return null;
  }
  if (!typed.includes(':')) return toAdapterRef((await findJob(session, typed)).id, step);
  const named = readAdapterNotation(typed);
  if (!named || named.jobId === null || step !== null)
    throw createUsageError(
      'option "--job" must be ID, ID:final or ID:checkpoint:N; only ID can be combined with "--step".',
      where,
    );
  return toAdapterRef((await findJob(session, named.jobId)).id, named.step);
}

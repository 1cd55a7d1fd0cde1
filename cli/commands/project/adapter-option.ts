// `--job ID [--step N]`: the final adapter of a job, or one of its checkpoints.
import type { AdapterRef } from '../../../lib/contract/index.js';
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
  const step = countOption(input, 'step', where);
  if (typed === undefined) {
    if (step !== undefined) throw createUsageError('option "--step" goes with "--job".', where);
    return null;
  }
  const { id: jobId } = await findJob(session, typed);
  return step === undefined ? { kind: 'final', jobId } : { kind: 'checkpoint', jobId, step };
}

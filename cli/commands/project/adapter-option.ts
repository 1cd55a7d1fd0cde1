// `--job ID [--step N]`: the final adapter of a job, or one of its checkpoints. In short, as answers name what they come
// from: `ID:final` and `ID:checkpoint:N`.
import type { AdapterRef } from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import type { Input } from '../../command.js';
import { createUsageError } from '../../command-error.js';
import { findJob } from './find-job.js';
import { countOption, textOption } from './option-values.js';

const SHORT = /^([^:]+)(?::final|:checkpoint:(\d{1,15}))?$/;

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
  const { id, at = step } = readShort(typed, step, where);
  const { id: jobId } = await findJob(session, id);
  return at === undefined ? { kind: 'final', jobId } : { kind: 'checkpoint', jobId, step: at };
}

function readShort(typed: string, step: number | undefined, where: string): { id: string; at?: number } {
  if (!typed.includes(':')) return { id: typed };
  const [, id, at] = SHORT.exec(typed) ?? [];
  if (id === undefined || step !== undefined)
    throw createUsageError(
      'option "--job" takes ID, ID:final or ID:checkpoint:N, and the last two without "--step".',
      where,
    );
  return at === undefined ? { id } : { id, at: Number(at) };
}

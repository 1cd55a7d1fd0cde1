// svc eval TARGET --on ROWS: asks a model rows whose answers are known, scores it, and compares it with another one.
import type { Evaluation } from '../../../lib/contract/index.js';
import { evaluate, resolveOpponent, resolveTarget, type Session } from '../../../lib/sdk/index.js';
import { UsageError } from '../../command.js';
import { countOption, textOption } from '../project/option-values.js';
import { projectCommand } from '../project/session-command.js';
import { interruptible } from '../terminal/interruptible.js';
import { createProgress, openTrainerData, sourceOption } from './asking.js';
import { REPORTED_ROWS, renderEvaluation, SHOWN_ROWS } from './render.js';
import { openReportFile } from './report-file.js';

export const run = projectCommand(async context => {
  const { positionals, session, io, screen, answer, note } = context;
  const given = sourceOption(context);
  const trainer = openTrainerData(context);
  if (!given && !(await learnsFromRewards(trainer)))
    throw new UsageError('missing option "--on": a file of rows whose answers are known, or hf:NAME.');
  const against = textOption(context, 'against');
  const target = await resolveTarget(session, positionals[0]!);
  const other = against === undefined ? undefined : await resolveOpponent(session, against, io.cwd);
  const data = given ?? (await heldOutRows(session, trainer, [target, other]));
  const report = await openReportFile(context);
  const progress = createProgress(context);
  return interruptible(io, async signal => {
    let evaluation: Evaluation;
    try {
      evaluation = await evaluate(session, {
        target,
        against: other,
        data,
        limit: countOption(context, 'limit'),
        score: textOption(context, 'score'),
        reward: trainer.reward,
        maxTokens: countOption(context, 'max-tokens'),
        signal,
        onProgress: progress.show,
      });
    } catch (error) {
      progress.clear();
      if (signal.aborted)
        note('Interrupted. The answers so far are kept: the same command resumes from them.');
      throw error;
    }
    progress.clear();
    const cloud = await session.projectClient();
    const changed = evaluation.comparison !== null;
    const limit = report ? REPORTED_ROWS : SHOWN_ROWS;
    const { rows } = await cloud.listEvaluationRows(evaluation.id, { changed, limit });
    answer({ evaluation, rows }, () => renderEvaluation(evaluation, rows.slice(0, SHOWN_ROWS), screen));
    await report?.save(evaluation, rows);
  });
});

type TrainerData = ReturnType<typeof openTrainerData>;

/** False also for a folder without a trainer. */
async function learnsFromRewards({ reward }: TrainerData): Promise<boolean> {
  return (await reward().catch(() => null)) !== null;
}

/** Of the run that an adapter is of. */
async function heldOutRows(
  session: Session,
  { heldOutRows: read }: TrainerData,
  candidates: readonly (Pick<Evaluation, 'subject'> | { subject: unknown } | undefined)[],
) {
  const cloud = await session.projectClient();
  const jobIds = candidates.flatMap(candidate => {
    const { target } = (candidate?.subject ?? {}) as Partial<Evaluation['subject']>;
    return target?.kind === 'adapter' ? [target.adapter.jobId] : [];
  });
  if (jobIds.length === 0)
    throw new UsageError('missing option "--on": the rows that are held out are those of a job.');
  return read(cloud, (await cloud.getJob(jobIds[0]!)).job);
}

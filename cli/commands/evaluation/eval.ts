// svc eval TARGET --on ROWS: asks a model rows whose answers are known, scores it, and compares it with another one.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { evaluationReport } from '../../../lib/console/index.js';
import type { Evaluation } from '../../../lib/contract/index.js';
import { type EvaluationProgress, evaluate, resolveTarget } from '../../../lib/sdk/index.js';
import { type Input, UsageError } from '../../command.js';
import type { Style } from '../../style.js';
import { countOption, textOption } from '../project/option-values.js';
import { interruptible, type SessionContext, sessionCommand } from '../project/session-command.js';
import { everyQuarter } from '../terminal/every-quarter.js';
import { createLiveLine } from '../terminal/live-line.js';
import { renderBar } from '../training/progress.js';
import { REPORTED_ROWS, renderEvaluation, SHOWN_ROWS } from './render.js';

export const run = sessionCommand(async context => {
  const { positionals, session, io, screen, answer, note } = context;
  const data = readSource(context);
  const against = textOption(context, 'against');
  const target = await resolveTarget(session, positionals[0]!);
  const other = against === undefined ? undefined : await resolveTarget(session, against);
  const progress = createProgress(context);
  return interruptible(io, ['SIGINT', 'SIGTERM'], async signal => {
    let evaluation: Evaluation;
    try {
      evaluation = await evaluate(session, {
        target,
        against: other,
        data,
        limit: countOption(context, 'limit'),
        score: textOption(context, 'score'),
        maxTokens: countOption(context, 'max-tokens'),
        signal,
        onProgress: progress.show,
      });
    } catch (error) {
      progress.clear();
      if (signal.aborted)
        note('Interrupted. The answers so far are kept: the same command goes on with them.');
      throw error;
    }
    progress.clear();
    const cloud = await session.projectClient();
    const changed = evaluation.comparison !== null;
    const out = textOption(context, 'out');
    const limit = out === undefined ? SHOWN_ROWS : REPORTED_ROWS;
    const { rows } = await cloud.listEvaluationRows(evaluation.id, { changed, limit });
    if (out !== undefined) await writeFile(resolve(io.cwd, out), evaluationReport(evaluation, rows));
    answer({ evaluation, rows }, () => renderEvaluation(evaluation, rows.slice(0, SHOWN_ROWS), screen));
    if (out !== undefined) note(`Wrote ${out}.`);
  });
});

const HUB = 'hf:';

function readSource(input: Pick<Input, 'values'>) {
  const on = textOption(input, 'on');
  const split = textOption(input, 'split');
  if (on === undefined)
    throw new UsageError('missing option "--on": a file of rows whose answers are known, or hf:NAME.');
  if (on.startsWith(HUB))
    return { type: 'huggingface' as const, name: on.slice(HUB.length), ...(split && { split }) };
  if (split !== undefined)
    throw new UsageError('option "--split" requires a data set of the Hub: --on hf:NAME.');
  return { type: 'file' as const, path: on };
}

const BAR_WIDTH = 20;

/** On stderr, so that stdout has only the result. */
function createProgress({ io, screen, note }: Pick<SessionContext, 'io' | 'screen' | 'note'>) {
  const isLive = io.stderr.isTTY === true;
  const line = createLiveLine(io.stderr, { isLive });
  const tellQuarter = everyQuarter(percent => note(`Answers: ${percent}%`));
  const draw = ({ done, total }: EvaluationProgress, style: Style) =>
    line.draw(`${renderBar(done / total, BAR_WIDTH, style)}  ${done} of ${total} answers`);
  return {
    show: (progress: EvaluationProgress) =>
      isLive ? draw(progress, screen.style) : tellQuarter(progress.done, progress.total),
    clear: () => line.clear(),
  };
}

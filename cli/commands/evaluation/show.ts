// svc evals show ID: an evaluation with its worst rows.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { evaluationReport } from '../../../lib/console/index.js';
import { countOption, textOption } from '../project/option-values.js';
import { sessionCommand } from '../project/session-command.js';
import { findEvaluation } from './find.js';
import { REPORTED_ROWS, renderEvaluation, SHOWN_ROWS } from './render.js';

export const run = sessionCommand(async input => {
  const { positionals, values, session, screen, io, answer, note } = input;
  const { cloud, id } = await findEvaluation(session, positionals[0]!);
  const { evaluation } = await cloud.getEvaluation(id);
  const out = textOption(input, 'out');
  const limit = countOption(input, 'rows') ?? (out === undefined ? SHOWN_ROWS : REPORTED_ROWS);
  const changed = evaluation.comparison !== null && values.all !== true;
  const { rows } = await cloud.listEvaluationRows(id, { changed, limit });
  if (out !== undefined) await writeFile(resolve(io.cwd, out), evaluationReport(evaluation, rows));
  answer({ evaluation, rows }, () => renderEvaluation(evaluation, rows, screen));
  if (out !== undefined) note(`Wrote ${out}.`);
});

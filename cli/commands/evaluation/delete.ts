// svc evals delete ID: deletes an evaluation and its rows.
import { shortId } from '../../../lib/console/index.js';
import { sessionCommand } from '../project/session-command.js';
import { agree } from '../terminal/ask.js';
import { findEvaluation } from './find.js';

export const run = sessionCommand(async ({ session, answer, io, ...input }) => {
  const { cloud, id } = await findEvaluation(session, input.positionals[0]!);
  await agree(`Delete evaluation ${shortId(id)} and its rows?`, input, io);
  const { evaluation } = await cloud.deleteEvaluation(id);
  answer({ evaluation }, () => `Deleted evaluation ${shortId(id)}.\n`);
});

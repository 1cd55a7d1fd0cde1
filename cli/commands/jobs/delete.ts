// svc jobs delete ID: deletes a finished job and its adapters, unless an endpoint uses them.
import { shortId } from '../../../lib/console/index.js';
import { toSafeLine } from '../../style.js';
import { findJob } from '../project/find.js';
import { sessionCommand } from '../project/session-command.js';
import { agree } from '../terminal/ask.js';

export const run = sessionCommand(async ({ session, answer, io, ...input }) => {
  const { cloud, id } = await findJob(session, input.positionals[0]!);
  const { name } = (await cloud.getJob(id)).job;
  await agree(`Delete ${name} (${shortId(id)}) and its adapters?`, input, io);
  const { job } = await cloud.deleteJob(id);
  answer({ job }, () => `Deleted ${toSafeLine(job.name)} (${shortId(job.id)}) and its adapters.\n`);
});

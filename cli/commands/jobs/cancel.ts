// svc jobs cancel ID: cancels a queued or running job; a finished one is left unchanged.
import { shortId } from '../../../lib/console/index.js';
import { exitCode } from '../../exit-code.js';
import { toSafeLine } from '../../style.js';
import { findJob } from '../project/find-job.js';
import { sessionCommand } from '../project/session-command.js';

export const run = sessionCommand(async ({ positionals, session, answer }) => {
  const { cloud, id } = await findJob(session, positionals[0]!);
  const { job } = await cloud.cancelJob(id);
  answer({ job }, () => {
    const name = `${toSafeLine(job.name)} (${shortId(job.id)})`;
    return job.status === 'cancelled'
      ? `${name} is cancelled.\n`
      : `${name} is ${job.status}; nothing was changed.\n`;
  });
  return exitCode.ok;
});

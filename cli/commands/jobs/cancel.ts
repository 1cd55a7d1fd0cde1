// svc jobs cancel ID: cancels a queued or running job, or with --group the runs of a sweep; finished ones are left unchanged.
import { plural, shortId } from '../../../lib/console/index.js';
import { isFinalStatus, type Job } from '../../../lib/contract/index.js';
import { UsageError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { findGroup, findJob } from '../project/find.js';
import { groupOption } from '../project/option-values.js';
import { requireProjectClient } from '../project/project-client.js';
import { type SessionContext, sessionCommand } from '../project/session-command.js';

export const run = sessionCommand(async input => {
  const [typed] = input.positionals;
  const group = groupOption(input);
  if ((typed === undefined) === (group === null))
    throw new UsageError('name either a job or, with "--group", a sweep.');
  await (group === null ? cancelOne(input, typed!) : cancelAll(input, group));
});

async function cancelOne({ session, answer }: SessionContext, typed: string): Promise<void> {
  const { cloud, id } = await findJob(session, typed);
  const { job } = await cloud.cancelJob(id);
  answer({ job }, () => {
    const name = `${toSafeLine(job.name)} (${shortId(job.id)})`;
    return job.status === 'cancelled'
      ? `${name} is canceled.\n`
      : `${name} is ${job.status}; nothing was changed.\n`;
  });
}

/** Cancels queued jobs first, so that none of them starts when a running one ends. */
async function cancelAll({ session, answer }: SessionContext, typed: string): Promise<void> {
  const cloud = await requireProjectClient(session, 'jobs');
  const all = (await cloud.listJobs()).jobs;
  const id = findGroup(typed, all);
  const open = all.filter(({ group, status }) => group?.id === id && !isFinalStatus(status));
  const jobs: Job[] = [];
  for (const { id: jobId } of open.sort(
    (a, b) => Number(a.status === 'running') - Number(b.status === 'running'),
  ))
    jobs.push((await cloud.cancelJob(jobId)).job);
  answer({ jobs }, () =>
    jobs.length === 0
      ? `Every run of the sweep ${shortId(id)} has ended; nothing was changed.\n`
      : `Canceled ${plural(jobs.length, 'run')} of the sweep ${shortId(id)}.\n`,
  );
}

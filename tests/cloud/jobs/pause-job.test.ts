// A paused job stays paused when the cloud is restarted, even before its trainer has ended.
import { expect, it } from 'vitest';
import { until } from '../../support/until.js';
import { createScriptedRunner } from './scripted-runner.js';
import { openTestJobs } from './test-jobs.js';

const scope = { orgId: 'org-a', projectId: 'org-a/one' };

it('a job that was paused resumes only when it is asked to, also after a crash', async () => {
  const before = createScriptedRunner();
  const first = await openTestJobs(before);
  await first.jobs.start();
  const { id } = await first.create();
  const run = await before.next();
  run.started();
  await run.checkpoint(5);
  await until(() => first.events(id)).toHaveLength(2);
  await first.jobs.pauseJob(scope, id);
  const runner = createScriptedRunner();
  const cloud = await first.reopen(runner, { killed: true });
  await cloud.jobs.start();
  const other = await cloud.create({}, 'other');
  expect((await runner.next()).task.jobId).toBe(other.id);
  expect(await cloud.jobs.count()).toEqual({ queued: 0, running: 1 });
  await cloud.jobs.resumeJob(scope, id);
  runner.runs[0]!.end('cancelled');
  const resumed = await runner.next();
  expect([resumed.task.jobId, resumed.task.request.attempt, resumed.has(5)]).toEqual([id, 2, true]);
  await cloud.close();
});

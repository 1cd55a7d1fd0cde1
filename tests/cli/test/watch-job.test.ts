// Watching a job for adapters that no test has asked.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { watchAdapters } from '../../../cli/commands/test/test.js';
import { openFakeCloud, sessionIn } from '../../sdk/support.js';
import { sampleJob } from '../../support/samples.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { checkpoint, completed, ended, started } from '../support/job-events.js';

it.each([
  ['all', -1, 'final'],
  ['what comes after a checkpoint', 20, 'final'],
  ['nothing after the final adapter', Number.POSITIVE_INFINITY, null],
])('has %s', async (_, after, last) => {
  const cloud = await openFakeCloud();
  const folder = join(temporaryFolder('svc-watch-job'));
  const session = sessionIn(folder, cloud);
  await session.ensureProject();
  const job = sampleJob({ id: 'aaaa1111-0000-4000-8000-000000000001', status: 'completed' });
  const events = [started(), checkpoint({ step: 20 }), completed(), ended()].map(event => ({
    ...event,
    jobId: job.id,
  }));
  cloud.jobs.push({ job, events, archives: {} });
  const watch = watchAdapters(session, job.id, { after, signal: new AbortController().signal });
  const seen: string[] = [];
  for (let next = await watch.next(); next !== null; next = await watch.next()) seen.push(next);
  expect(seen.at(-1) ?? null).toBe(last && `${job.id}:${last}`);
});

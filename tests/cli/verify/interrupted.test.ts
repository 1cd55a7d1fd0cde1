// svc verify while it is interrupted.
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../lib/contract/index.js';
import { completed, ended, log, started } from '../support/job-events.js';
import { projectOfEach } from '../support/project.js';

const events = [started(), log({ step: 1, loss: 0.1 }), log({ step: 2, loss: 0.05 }), completed(), ended()];

/** Is interrupted once the repetition has taken a step. */
async function interrupt({ addJob, jobsHave, start, cloud }: ReturnType<typeof projectOfEach>) {
  jobsHave(started(), log({ step: 1, loss: 0.1 }));
  const config = { model: 'svc/tiny', datasetSource: { type: 'upload', datasetId: 'data-1' } } as const;
  const { job } = addJob({ name: 'sums', config }, events);
  const call = start(`verify ${job.id}`, { isTTY: true, columns: 80 });
  await call.shown('step 1/40');
  call.signal('SIGINT');
  return { end: await call.done, repeated: cloud.jobs[0]!.job };
}

describe('Ctrl-C', () => {
  const project = projectOfEach({ isLinked: true });

  it('cancels the repetition', async () => {
    const { end, repeated } = await interrupt(project);
    expect(end.exitCode).toBe(130);
    expect(repeated).toMatchObject({ name: 'verify sums', status: 'cancelled' });
  });
});

describe('Ctrl-C while the cloud refuses', () => {
  const cancelJob = () => {
    throw new ApiError('storage_unavailable', 'It is locked.');
  };
  const project = projectOfEach({ isLinked: true, routes: { cancelJob } });

  it('ends as well, and says that the repetition goes on', async () => {
    const { end, repeated } = await interrupt(project);
    expect(end.exitCode).toBe(130);
    expect(end.stderr).toContain(
      `! Could not cancel the job: It is locked. Try "svc jobs cancel ${repeated.id.slice(0, 8)}".`,
    );
  });
});

// svc start --attach: a job that another process started goes on with this one's reward function.
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../support/until.js';
import { completed, ended, log, started } from '../support/job-events.js';
import { entryOf, failure, misuse, projectOfEach } from '../support/project.js';

const pending = {
  id: 'a',
  step: 2,
  groups: [{ row: 0, item: {}, messages: [], answers: [{ text: 'abc' }, { text: '' }] }],
};
let reports: unknown[];
const CTRL_C = '\u0003';

const REWARD = `answer => { if (answer === '') throw new Error('Nothing said.'); return answer.length; }`;
const project = projectOfEach({
  isLinked: true,
  entry: entryOf({ options: `method: { type: 'grpo', reward: ${REWARD} }` }),
  routes: {
    awaitRewards: ({ query, request }) => {
      if (query.known !== 'a' && reports.length === 0) return { pending };
      return new Promise(resolve => {
        request.signal.addEventListener('abort', () => resolve({ pending: null }));
      });
    },
    reportRewards: ({ body }) => {
      reports.push(body);
      return { accepted: true };
    },
  },
});
const { svc, start, atTerminal, writeEntry } = project;

beforeEach(() => {
  reports = [];
});

/** It waits at its second step. */
function addWaiting(method: object = { type: 'grpo', reward: { type: 'function' } }, status = 'running') {
  const { job } = project.addJob(
    {
      id: randomUUID(),
      status: status as 'running',
      name: 'sums',
      config: { method } as never,
      totalSteps: 40,
    },
    [started(), log({ step: 1 })],
  );
  return job;
}

describe('svc start --attach', () => {
  it('takes up a job at its next event, and computes its rewards', async () => {
    const job = addWaiting();
    const run = start(`start --attach ${job.id.slice(0, 8)}`);
    await until(() => reports).toEqual([{ id: 'a', rewards: [[{ reward: 3 }, { error: 'Nothing said.' }]] }]);
    project.cloud.emit(job.id, { ...log({ step: 2, reward: 1.5 }), jobId: job.id });
    for (const event of [completed(), ended()]) project.cloud.emit(job.id, { ...event, jobId: job.id });
    const { exitCode, stdout } = await run.done;
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Attached to "sums", job ${job.id}\\.$`, 'm'));
    expect(stdout).toContain('! 1 of 2 answers of step 2 got no reward: Nothing said.\n');
    expect(stdout).toContain('step 2/40  reward 1.5');
    expect(stdout).not.toContain('step 1/');
    expect(project.cloud.jobs).toHaveLength(1);
  });

  it('prints the events as JSON', async () => {
    const job = addWaiting();
    const run = start(`start --attach ${job.id} --json`);
    await until(() => reports.length).toBe(1);
    for (const event of [completed(), ended()]) project.cloud.emit(job.id, { ...event, jobId: job.id });
    const { stdout, stderr } = await run.done;
    expect(
      stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).type),
    ).toEqual(['training.completed', 'end']);
    expect(stderr).toContain(`Attached to job ${job.id}.\n`);
  });

  it('says how to go on when it is left', async () => {
    const job = addWaiting();
    const run = atTerminal(`start --attach ${job.id}`);
    await run.shown('Attached');
    run.signal('SIGINT');
    await run.shown('Cancel the job? Press Ctrl-C again to leave it waiting. [y/N] ');
    run.type(CTRL_C);
    const { exitCode, stdout } = await run.done;
    expect(exitCode).toBe(130);
    const short = job.id.slice(0, 8);
    expect(stdout).toContain(
      `The job waits for rewards from this trainer. Go on with "svc start --attach ${short}"; stop it with "svc jobs cancel ${short}".`,
    );
    expect(stdout).not.toContain('still running');
  });

  it('says how to go on after a callback that throws', async () => {
    const throwing = entryOf({
      callbacks: `{ onLog() { throw new Error('mine') } }`,
      options: `method: { type: 'grpo', reward: ${REWARD} }`,
    });
    await writeEntry(throwing);
    await svc('build');
    const job = addWaiting();
    const run = start(`start --attach ${job.id}`);
    await run.shown('Attached');
    project.cloud.emit(job.id, { ...log({ step: 2 }), jobId: job.id });
    const { stderr } = await run.done;
    expect(stderr).toContain('A callback threw: mine\n');
    expect(stderr).toContain(`Go on with "svc start --attach ${job.id.slice(0, 8)}"`);
  });

  it('refuses a job that has ended, that another trainer started, or that is not there', async () => {
    const done = addWaiting(undefined, 'completed');
    expect(await svc(`start --attach ${done.id}`)).toMatchObject(failure(1, 'has ended: it is completed.'));
    const other = addWaiting({ type: 'dpo' });
    expect(await svc(`start --attach ${other.id}`)).toMatchObject(failure(1, 'learns without one'));
    await writeEntry(entryOf());
    await svc('build');
    const job = addWaiting();
    expect(await svc(`start --attach ${job.id}`)).toMatchObject(failure(1, 'has no reward function'));
    expect(await svc('start --attach 00000000')).toMatchObject(failure(1, '00000000'));
  });

  it.each(['--set seed=1', '--sweep seed=1,2', '--name x', '--tag x', '--note x', '--from latest'])(
    'cannot be used with %s',
    async option => {
      const [name] = option.split(' ');
      expect(await svc(`start --attach 12345678 ${option}`)).toMatchObject(
        misuse(`option "--attach" takes up a job as it is, so it cannot be used with "${name}".`),
      );
    },
  );
});

// svc jobs compare, against a cloud in memory.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../lib/contract/index.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { sampleJob } from '../../support/samples.js';
import { at, completed, ended, log, started } from '../support/job-events.js';
import { callCli } from '../support/terminal.js';

const [A, B] = ['aaaa1111-0000-4000-8000-000000000001', 'bbbb2222-0000-4000-8000-000000000002'];

let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
  await project.link();
  addJob({ id: A, name: 'triage', config: { loraR: 8, seed: 1 } }, [2, 0.5]);
  addJob({ id: B, name: 'triage-wide', config: { loraR: 16, seed: 1 } }, [2, 0.25]);
});
afterEach(() => project.close());

function addJob(fields: Partial<Job>, losses: readonly number[]): void {
  const job = sampleJob({
    status: 'completed',
    startedAt: at(0),
    completedAt: at(9),
    artifactCount: 1,
    ...fields,
  });
  const events = losses.map((loss, index) =>
    log({ step: 20 * (index + 1), loss, tokens: 50, timestamp: at(index) }),
  );
  project.cloud.jobs.push({ job, events: [started(), ...events, completed(), ended()], archives: {} });
}

const svc = (...argv: string[]) => callCli(argv, { cwd: project.cwd, env: project.env });

describe('svc jobs compare', () => {
  it('shows the results side by side, the best one marked, and the settings that differ', async () => {
    const { exitCode, stdout } = await svc('jobs', 'compare', 'aa', 'bb');
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`Run         triage     triage-wide
ID          aaaa1111   bbbb2222
Status      completed  completed
Final loss  0.5        0.25 *
Best loss   0.5 @ 40   0.25 @ 40 *
Steps       40         40
Tokens      100        100
Duration    9.0 s      9.0 s
Artifacts   1          1

loraR       8          16

* best
`);
  });

  it('prints no name that steers the terminal', async () => {
    const c = 'cccc3333-0000-4000-8000-000000000003';
    addJob({ id: c, name: 'evil\u202e\u001b[2Jname' }, [1]);
    const { stdout } = await svc('jobs', 'compare', A, c);
    expect(stdout).toMatch(/^Run +triage +evilname\n/);
    const json = (await svc('jobs', 'compare', A, c, '--json')).stdout;
    expect(json).not.toContain('\u202e');
    expect(JSON.parse(json).runs[1].job.name).toBe('evil\u202e\u001b[2Jname');
  });

  it('says that no setting differs', async () => {
    const c = 'cccc3333-0000-4000-8000-000000000003';
    addJob({ id: c, config: { loraR: 8, seed: 1 } }, [2, 0.5]);
    const { stdout } = await svc('jobs', 'compare', A, c);
    expect(stdout).toContain('\nAll settings are the same.\n');
    expect(stdout).not.toContain('*');
  });

  it('prints the jobs, their figures and what differs as JSON', async () => {
    const { runs, differences } = JSON.parse((await svc('jobs', 'compare', B, 'aa', '--json')).stdout);
    expect(runs.map((run: { job: Job }) => run.job.name)).toEqual(['triage-wide', 'triage']);
    expect(runs[0].summary).toMatchObject({ final: { step: 40, value: 0.25 }, best: { value: 0.25 } });
    expect(differences).toEqual([{ setting: 'loraR', values: ['16', '8'] }]);
  });

  it('refuses a job that is gone, and one that is named twice', async () => {
    const gone = await svc('jobs', 'compare', A, 'dddd');
    expect([gone.exitCode, gone.stderr]).toEqual([
      1,
      expect.stringContaining('There is no job "dddd" in this project.'),
    ]);
    const twice = await svc('jobs', 'compare', A, 'aa');
    expect([twice.exitCode, twice.stderr]).toEqual([
      2,
      expect.stringContaining('job aaaa1111 is named twice.'),
    ]);
    expect((await svc('jobs', 'compare', A)).exitCode).toBe(2);
  });
});

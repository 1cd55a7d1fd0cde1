// svc start with a name, tags, a note and settings for one run.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { completed, ended, started } from '../support/job-events.js';
import { callCli } from '../support/terminal.js';

/** As `createService` makes it, so that the folder needs no package. */
const ENTRY = `
  const options = { name: 'triage', dataset: { type: 'rows', rows: [{ text: 'a' }] } };
  const trainer = { name: options.name, options, start() {} };
  export const service = Object.defineProperty({ trainer }, Symbol.for('svc.service'), { value: true });
`;

let cloud: FakeCloud;
let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
  ({ cloud } = project);
  await project.write('src/svc/index.ts', ENTRY);
  cloud.onJob = ({ job, events }) =>
    events.push(...[started(), completed(), ended()].map(event => ({ ...event, jobId: job.id })));
});
afterEach(() => project.close());

const svc = (argv: string[]) => callCli(argv, { cwd: project.cwd, env: { ...project.env, NO_COLOR: '1' } });

describe('svc start', () => {
  it('gives the run a name, tags, a note and other settings, which the job keeps', async () => {
    const set = ['--set', 'learningRate=1e-3', '--set', 'lora.r=8', '--set', 'lrScheduler=cosine'];
    const labels = ['--name', 'trial 1', '--tag', 'a', '--tag', 'b', '--note', 'why'];
    const { exitCode, stdout } = await svc(['start', ...set, ...labels]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Queued "trial 1", job');
    expect(cloud.jobs[0]!.job).toMatchObject({
      name: 'trial 1',
      trainer: 'triage',
      tags: ['a', 'b'],
      note: 'why',
      config: { learningRate: 0.001, loraR: 8, lrSchedulerType: 'cosine' },
    });
  });

  it.each([
    [['--set', 'lernRate=1'], 'There is no setting `lernRate`. Did you mean "learningRate"?'],
    [['--set', 'learningRate=fast'], '`learningRate` must be a number, not "fast".'],
    [['--set', 'lora.r=0'], '`lora.r` must be at least 1.'],
    [['--set', 'learningRate'], 'must be NAME=VALUE, not "learningRate".'],
    [['--name', 'x'.repeat(101)], 'option "--name" must have at most 100 characters.'],
  ])('refuses %j by name, and queues nothing', async (argv, message) => {
    const { exitCode, stderr } = await svc(['start', ...argv]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(cloud.jobs).toEqual([]);
  });
});

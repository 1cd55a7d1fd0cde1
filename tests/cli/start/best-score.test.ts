// svc start where the trainer has chosen a score: the end names the best.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { completed, ended, log, started } from '../support/job-events.js';
import { callCli } from '../support/terminal.js';

/** As `createService` makes it, so that the folder needs no package. */
const ENTRY = `
  const options = { name: 'triage', dataset: { type: 'rows', rows: [{ text: 'a' }] } };
  const trainer = { name: options.name, options, start() {} };
  export const service = Object.defineProperty({ trainer }, Symbol.for('svc.service'), { value: true });
`;

let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
  await project.write('src/svc/index.ts', ENTRY);
});
afterEach(() => project.close());

it('ends with the best score and its step', async () => {
  const score = (step: number, value: number, name = 'accuracy') =>
    ({
      type: 'score.recorded',
      jobId: '',
      timestamp: '2026-03-01T10:00:00.000Z',
      step,
      name,
      value,
    }) as const;
  project.cloud.onJob = ({ job, events }) => {
    job.config = { ...job.config, bestBy: { score: 'accuracy' } };
    const scores = [score(20, 0.5), score(40, 0.25), score(40, 3, 'length')];
    const all = [started(), log({ step: 40, loss: 1.5, evalLoss: 1.75 }), completed(), ...scores, ended()];
    events.push(...all.map(event => ({ ...event, jobId: job.id })));
  };
  const { stdout } = await callCli(['start'], {
    cwd: project.cwd,
    env: { ...project.env, NO_COLOR: '1' },
  });
  expect(stdout).toMatch(
    /completed .*final eval loss 1.75 {2}best accuracy 0.5 at step 20 {2}1 artifact\n(.*\n)+Next:/,
  );
});

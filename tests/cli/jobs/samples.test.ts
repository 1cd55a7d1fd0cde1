// svc jobs samples, against a cloud in memory.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobEvent } from '../../../lib/contract/index.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { sampleJob } from '../../support/samples.js';
import { completed, ended, sample, started } from '../support/job-events.js';
import { callCli } from '../support/terminal.js';

const ID = '1a2b3c4d-0000-4000-8000-000000000001';

let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
  await project.link();
});
afterEach(() => project.close());

const ask = (content: string) => ({ messages: [{ role: 'user', content }] });

function addJob(events: JobEvent[], samples: unknown = [ask('Where is it?'), ask('Who are you?')]): void {
  const job = sampleJob({ id: ID, status: 'completed', totalSteps: 40, config: { samples } });
  project.cloud.jobs.push({ job, events, archives: {} });
}

const svc = (...argv: string[]) => callCli(argv, { cwd: project.cwd, env: project.env });

const answers = [
  sample({ step: 0, answer: 'I do not\nknow.' }),
  sample({ step: 0, sample: 1, answer: '', finishReason: 'stop' }),
  sample({ step: 40, answer: 'It is late.', finishReason: 'length' }),
  sample({ step: 40, sample: 1, answer: null, error: 'Too long.' }),
];

describe('svc jobs samples', () => {
  it('shows what each step answered', async () => {
    addJob([started(), ...answers, completed(), ended()]);
    const { exitCode, stdout } = await svc('jobs', 'samples', '1a2b');
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      `Base model
  Where is it?
    I do not know.
  Who are you?
    Empty answer

Final, step 40
  Where is it?
    It is late.  Cut at its token limit
  Who are you?
    Too long.
`,
    );
  });

  it('shows one step, as text and as JSON', async () => {
    addJob([started(), ...answers, completed(), ended()]);
    expect((await svc('jobs', 'samples', ID, '--step', '0')).stdout).toMatch(/^Base model\n(?!.*Final)/s);
    const { stdout } = await svc('jobs', 'samples', ID, '--step', '40', '--json');
    expect(JSON.parse(stdout)).toEqual({ samples: answers.slice(2) });
    const wrong = await svc('jobs', 'samples', ID, '--step', '7');
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      1,
      'svc: no samples at step 7. There are samples at step 0, 40.\n',
    ]);
  });

  it('says why there are none', async () => {
    addJob([started(), completed(), ended()]);
    expect((await svc('jobs', 'samples', ID)).stdout).toContain('No samples yet.');
    project.cloud.jobs.length = 0;
    addJob([started(), completed(), ended()], []);
    expect((await svc('jobs', 'samples', ID)).stdout).toContain('This job has no samples. Add `samples:');
    const { exitCode, stderr } = await svc('jobs', 'samples', ID, '--step', '15');
    expect([exitCode, stderr]).toEqual([
      1,
      'svc: This job has no samples. Add `samples: [{ messages: […] }]` to your trainer.\n',
    ]);
  });
});

// svc jobs list and edit: choosing among jobs by status and tags, and what people call them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../lib/contract/index.js';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { sampleJob } from '../../support/samples.js';
import { completed, ended, started } from '../support/job-events.js';
import { callCli } from '../support/terminal.js';

const A = '1a2b3c4d-0000-4000-8000-000000000001';
const B = '1a2b3c4d-0000-4000-8000-000000000002';
const C = '9f000000-0000-4000-8000-000000000003';

let cloud: FakeCloud;
let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
  ({ cloud } = project);
  await project.link();
});
afterEach(() => project.close());

function addJob(fields: Partial<Job> = {}) {
  const events = [started(), completed(), ended()];
  cloud.jobs.push({ job: sampleJob({ status: 'completed', ...fields }), events, archives: {} });
}

const svc = (argv: string[]) => callCli(argv, { cwd: project.cwd, env: project.env });

describe('svc jobs list', () => {
  it('has the jobs of a status or with all of some tags, in another order, and the first ones', async () => {
    addJob({ id: A, name: 'one', tags: ['x', 'y'], loss: 0.5 });
    addJob({ id: B, name: 'two', tags: ['x'], loss: 0.25 });
    addJob({ id: C, name: 'three', status: 'failed' });
    const names = async (...argv: string[]) => {
      const { stdout } = await svc(['jobs', 'list', '--json', ...argv]);
      return (JSON.parse(stdout) as { jobs: Job[] }).jobs.map(({ name }) => name);
    };
    expect(await names('--status', 'failed')).toEqual(['three']);
    expect(await names('--tag', 'x')).toEqual(['one', 'two']);
    expect(await names('--tag', 'x', '--tag', 'y')).toEqual(['one']);
    expect(await names('--sort', 'loss')).toEqual(['two', 'one', 'three']);
    expect(await names('--sort', 'name', '--limit', '2')).toEqual(['one', 'three']);
    expect(await names('--sort', 'duration')).toHaveLength(3);
    const { stdout } = await svc(['jobs', 'list']);
    expect(stdout).toMatch(/^Status +Name +Steps +Tags +Created +ID\n/);
    expect(stdout).toContain('x, y');
    expect((await svc(['jobs', 'list', '--tag', 'z'])).stdout).toBe('No matches.\n');
  });

  it.each([
    ['duration', 'Duration', /one +– +10\.0 s .*\n.*two +– +– /],
    ['loss', 'Loss', /two +– +0\.25 .*\n.*one +– +0\.5 /],
    ['eval-loss', 'Eval loss', /one +– +0\.75 .*\n.*two +– +– /],
    ['best-loss', 'Best loss', /one +– +0\.5 .*\n.*two +– +– /],
    ['best-eval-loss', 'Best eval loss', /one +– +0\.625 .*\n.*two +– +– /],
    ['best-score', 'Best score', /one +– +accuracy 0\.9 .*\n.*two +– +– /],
  ])('shows the %s that it sorts by', async (sort, title, rows) => {
    const bestScore = { name: 'accuracy', value: 0.9, higher: true };
    const [startedAt, completedAt] = ['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:10.000Z'];
    addJob({ id: B, name: 'two', status: 'running', startedAt: null, loss: 0.25 });
    addJob({
      id: A,
      name: 'one',
      loss: 0.5,
      evalLoss: 0.75,
      bestLoss: 0.5,
      bestEvalLoss: 0.625,
      bestScore,
      startedAt,
      completedAt,
    });
    const { stdout } = await svc(['jobs', 'list', '--sort', sort]);
    expect(stdout).toMatch(new RegExp(`^Status +Name +Steps +${title} +Created +ID\\n`));
    expect(stdout).toMatch(rows);
  });

  it('shows what it sorts the runs of a sweep by once', async () => {
    const group = { id: C, settings: [{ name: 'seed', value: 1 }] };
    addJob({ id: A, group, loss: 0.5, evalLoss: 0.75 });
    const head = async (sort: string) =>
      (await svc(['jobs', 'list', '--group', C, '--sort', sort])).stdout.split('\n')[0];
    expect(await head('loss')).toMatch(/^Status +seed +Final eval loss +Loss +ID$/);
    expect(await head('eval-loss')).toMatch(/^Status +seed +Final eval loss +ID$/);
    expect(await head('created')).toMatch(/^Status +seed +Final eval loss +ID$/);
  });

  it('asks for no more jobs than it lists', async () => {
    addJob({ id: A });
    await svc(['jobs', 'list', '--limit', '3']);
    await svc(['jobs', 'list', '--limit', '3', '--status', 'failed']);
    const asked = cloud.requests.filter(({ name }) => name === 'GET /v1/jobs');
    expect(asked.map(({ query }) => query.includes('limit=3'))).toEqual([true, false]);
    expect((await svc(['jobs', 'list', '--limit', '0'])).exitCode).toBe(2);
  });
});

describe('svc jobs edit', () => {
  it('renames a job, changes its tags and gives it a note', async () => {
    addJob({ id: A, name: 'triage', tags: ['old', 'kept'] });
    const change = ['--name', 'trial 1', '--tag', 'new', '--untag', 'old', '--note', 'why'];
    const { exitCode, stdout } = await svc(['jobs', 'edit', '1a2b', ...change]);
    expect(exitCode).toBe(0);
    expect(stdout).toBe('trial 1 (1a2b3c4d) #kept #new\nwhy\n');
    expect(cloud.jobs[0]!.job).toMatchObject({ name: 'trial 1', tags: ['kept', 'new'], note: 'why' });
    const { stdout: shown } = await svc(['jobs', 'show', A]);
    expect(shown).toMatch(/Name +trial 1\n[\s\S]*Trainer +triage\nTags +kept, new\nNote +why\n/);
    await svc(['jobs', 'edit', A, '--no-note']);
    expect(cloud.jobs[0]!.job).toMatchObject({ name: 'trial 1', tags: ['kept', 'new'], note: '' });
  });

  it.each([
    [[], 2, 'say what to change'],
    [['--tag', 'x'.repeat(51)], 2, 'a tag must have at most 50 characters.'],
    [['--note', 'a', '--no-note'], 2, 'cannot be combined'],
    [['--untag', 'missing'], 1, 'The job has no tag "missing".'],
  ])('refuses %j', async (argv, code, message) => {
    addJob({ id: A, name: 'triage' });
    const { exitCode, stderr } = await svc(['jobs', 'edit', A, ...argv]);
    expect(exitCode).toBe(code);
    expect(stderr).toContain(message);
    expect(cloud.jobs[0]!.job).toMatchObject({ name: 'triage', tags: [], note: null });
  });
});

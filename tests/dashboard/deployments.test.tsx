import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { deployment, fakeStudio, JOB_ID } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';

afterEach(() => void vi.useRealTimers());

const open = async (deployments = [deployment()], size = { columns: 120, rows: 40 }) => {
  const dashboard = await openDashboard({ studio: fakeStudio({ deployments }), size });
  await dashboard.press('4');
  return dashboard;
};

describe('the list', () => {
  it('is empty at first, which is no error', async () => {
    const dashboard = await open([]);
    await dashboard.shows('No endpoints yet', '0 endpoints');
    expect(dashboard.frame()).not.toContain('✗');
  });

  const three = [
    deployment({ url: 'https://demo.d.example.com' }),
    deployment({
      id: 'd2',
      slug: 'step',
      enabled: false,
      target: { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: JOB_ID, step: 40 } },
    }),
    deployment({
      id: 'd3',
      slug: 'base',
      authMode: 'none',
      target: { kind: 'base_model', baseModel: 'svc/tiny-instruct' },
      customDomain: 'zebra.example',
    }),
  ];

  it.each([
    { columns: 120, rows: 40 },
    { columns: 80, rows: 24 },
    { columns: 40, rows: 15 },
  ])('says of each where it is, what it serves, who may call and whether it is on, at %o', async size => {
    const dashboard = await open(three, size);
    await dashboard.shows(
      'demo.d.example.com',
      'Final adapter (job 3f2a9c1e)',
      'Checkpoint step 40 (job 3f2a9c1e)',
      'Base model: svc/tiny-instruct',
      'fixed_api_key',
      'none',
      '● enabled',
      '○ disabled',
    );
    expect(dashboard.frame()).not.toMatch(/zebra|cannot serve/);
    for (const one of three) {
      dashboard.studio.world.deployments = [{ ...one, problem: 'Its adapter is damaged.' }];
      await dashboard.press('r');
      await dashboard.shows(one.enabled ? '● enabled' : '○ disabled', '✗ cannot serve');
    }
  });

  it('is read when one comes and when one asks, and not by itself', async () => {
    const dashboard = await open();
    expect(dashboard.studio.count('listDeployments')).toBe(1);
    await dashboard.press('1', '4');
    await dashboard.pass(600_000);
    await dashboard.press('j', 'k', '/', 'f');
    expect(dashboard.studio.count('listDeployments')).toBe(2);
    dashboard.studio.world.deployments = [deployment({ enabled: false })];
    await dashboard.press('r');
    await dashboard.shows('○ disabled');
  });

  it('shows what went wrong', async () => {
    const dashboard = await open();
    dashboard.studio.fail(
      'listDeployments',
      new ApiError('state_invalid', 'The state file cannot be parsed.'),
    );
    await dashboard.press('r');
    await dashboard.shows('✗ The state file cannot be parsed.', 'demo.localhost:4100');
  });

  it('opens the chosen one', async () => {
    const dashboard = await open(three);
    await dashboard.press('j', 'enter');
    expect(dashboard.studio.calls).toContain('getDeployment "d2"');
  });
});

describe('the form', () => {
  const created = (calls: readonly string[]) =>
    JSON.parse(calls.findLast(call => call.startsWith('createDeployment '))!.slice(17)) as unknown;

  it('has slug, target and auth mode, and creates an endpoint of a final adapter', async () => {
    const dashboard = await open([]);
    await dashboard.press('n');
    await dashboard.shows('New endpoint', 'Slug', 'Target', 'Job ID', 'Auth mode', 'Create endpoint');
    await dashboard.press('support', 'tab', 'tab', JOB_ID, 'enter', 'tab', 'enter');
    expect(created(dashboard.studio.calls)).toEqual({
      slug: 'support',
      target: { kind: 'adapter', adapter: { kind: 'final', jobId: JOB_ID } },
      authMode: 'fixed_api_key',
    });
    await dashboard.shows('support.localhost:4100', 'Created endpoint support.');
    expect(dashboard.studio.count('listDeployments')).toBe(2);
    expect(dashboard.studio.count('listJobs')).toBe(0);
  });

  it('takes a checkpoint, and the base model without a job', async () => {
    const dashboard = await open([]);
    await dashboard.press('n', 'one', 'tab', 'right', 'tab', JOB_ID, 'tab', '40', 'ctrl-s');
    expect(created(dashboard.studio.calls)).toMatchObject({
      target: { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: JOB_ID, step: 40 } },
    });
    await dashboard.press('n', 'two', 'down', 'left');
    await dashboard.shows('Base model: svc/tiny-instruct');
    expect(dashboard.frame()).not.toContain('Job ID');
    await dashboard.press('tab', 'right', 'enter', 'enter');
    expect(created(dashboard.studio.calls)).toEqual({
      slug: 'two',
      target: { kind: 'base_model', baseModel: 'svc/tiny-instruct' },
      authMode: 'none',
    });
  });

  it('goes around its fields, and to one that is clicked', async () => {
    const dashboard = await open([]);
    await dashboard.press('n', 'shift-tab');
    expect(dashboard.styleOf(' Create endpoint ')).toContain('inverse');
    await dashboard.press('down', 'up', 'up');
    await dashboard.shows('› Auth mode');
    const row = dashboard.lines().findIndex(line => line.includes('Job ID'));
    await dashboard.press(`\u001b[<0;4;${row + 1}M`);
    await dashboard.shows('› Job ID');
  });

  it('is filled in with the adapter to publish, and stays as it is behind help and a question', async () => {
    const dashboard = await openDashboard({
      studio: fakeStudio({ train: { running: true, startedAt: 'a', jobId: null, exitCode: null } }),
      start: { tab: 'endpoints', id: null, job: JOB_ID },
    });
    await dashboard.shows('Final adapter of a job', JOB_ID, '› Slug');
    await dashboard.press('demo', 'ctrl-c');
    await dashboard.shows('Quit?');
    await dashboard.press('tab', 'n', 'ctrl-c');
    await dashboard.shows('Quit?');
    await dashboard.press('escape', '2', 'tab', 'right', '?');
    await dashboard.shows('Next choice');
    await dashboard.press('tab', 'escape');
    await dashboard.shows(/Slug +demo2 *$/m, '› Target      ‹ Checkpoint of a job');
  });

  it('has all of its fields and problems in sight where there is little room', async () => {
    const dashboard = await open([], { columns: 60, rows: 20 });
    await dashboard.press('n', 'Not A Slug', 'tab', 'right', 'ctrl-s');
    await dashboard.shows(
      'Use 2–50',
      'Enter a job ID',
      'Enter a checkpoint step',
      'Auth mode',
      'Create endpoint',
    );
  });

  it('says what is wrong with a field, goes there, and sends nothing', async () => {
    const dashboard = await open([]);
    await dashboard.press('n', 'Not A Slug', 'ctrl-s');
    await dashboard.shows('Use 2–50 lowercase', 'Enter a job ID.');
    expect(dashboard.studio.count('createDeployment')).toBe(0);
    await dashboard.press('ctrl-u', 'fine');
    await dashboard.hides('Use 2–50');
  });

  it('says in words of a person what the ID of a job is, and where to get it', async () => {
    const dashboard = await open([], { columns: 80, rows: 24 });
    await dashboard.press('n', 'demo', 'tab', 'tab');
    await dashboard.shows('The job ID from Jobs, or its start.', 'Press c there to copy it.');
    await dashboard.press('zebra', 'ctrl-s');
    await dashboard.shows('Not a valid job ID. The job ID', '› Job ID');
    expect(dashboard.studio.count('createDeployment')).toBe(0);
    await dashboard.press('ctrl-u', JOB_ID, 'ctrl-s');
    await dashboard.shows('demo.localhost:4100');
  });

  it('stays open with its values when the slug is taken, and shows what the cloud said', async () => {
    const dashboard = await open([]);
    dashboard.studio.fail('createDeployment', new ApiError('slug_taken', 'taken: zebra 42'));
    await dashboard.press('n', 'demo', 'tab', 'left', 'ctrl-s');
    await dashboard.shows('taken: zebra 42', 'demo', 'Create endpoint');
    dashboard.studio.fail('createDeployment');
    await dashboard.press('shift-tab', '2', 'ctrl-s');
    await dashboard.shows('demo2.localhost:4100');
  });

  it('puts an error of the cloud below the field that it names', async () => {
    const dashboard = await open([]);
    const error = new ApiError('slug_reserved', 'This slug is reserved.', { param: 'slug' });
    dashboard.studio.fail('createDeployment', error);
    await dashboard.press('n', 'admin', 'tab', 'left', 'ctrl-s');
    await dashboard.shows('This slug is reserved.', '› Slug');
  });

  it('is left without creating anything', async () => {
    const dashboard = await open([]);
    await dashboard.press('n', 'demo', 'escape');
    await dashboard.shows('No endpoints yet');
    expect(dashboard.studio.count('createDeployment')).toBe(0);
  });

  it('has what was entered when it is opened again, until an endpoint was created of it', async () => {
    const dashboard = await open([]);
    await dashboard.press('n', 'demo', 'tab', 'left', 'escape');
    await dashboard.shows('No endpoints yet');
    await dashboard.press('1', '4', 'n');
    await dashboard.shows(/Slug +demo *$/m, 'Base model: svc/tiny-instruct');
    await dashboard.press('2', 'ctrl-s');
    await dashboard.shows('demo2.localhost:4100');
    await dashboard.press('n');
    await dashboard.shows(/Slug *$/m, 'Final adapter', 'Job ID');
  });

  it('says what the cloud refused also after it was left', async () => {
    const dashboard = await open([]);
    const release = dashboard.studio.hold('createDeployment');
    dashboard.studio.fail('createDeployment', new ApiError('slug_taken', 'taken: zebra 42'));
    await dashboard.press('n', 'demo', 'tab', 'left', 'ctrl-s', 'escape');
    await dashboard.shows('No endpoints yet');
    release();
    await dashboard.shows('taken: zebra 42');
  });
});

import { describe, expect, it } from 'vitest';
import type { StudioClient } from '../../lib/client/index.js';
import { ApiError } from '../../lib/contract/index.js';
import { deployment, type FakeStudio, fakeStudio, JOB_ID, key } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';
import { WIDE } from './support/open-job.js';

const open = async (deployments = [deployment()], size = WIDE) => {
  const dashboard = await openDashboard({ studio: fakeStudio({ deployments }), size });
  await dashboard.press('4');
  return dashboard;
};

const checkpoint = { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: JOB_ID, step: 40 } } as const;
const base = { kind: 'base_model', baseModel: 'svc/tiny-instruct' } as const;
const TAKEN = new ApiError('slug_taken', 'taken: zebra 42');

describe('the list', () => {
  const THREE = [
    deployment({ url: 'https://demo.d.example.com' }),
    deployment({ id: 'd2', slug: 'step', enabled: false, target: checkpoint }),
    deployment({ id: 'd3', slug: 'base', authMode: 'none', target: base, customDomain: 'zebra.example' }),
  ];

  it('is empty at first, which is no error', async () => {
    const { shows } = await open([]);
    await shows('No endpoints yet', '0 endpoints').hides('✗');
  });

  it('says of each where it is, what it serves, who may call and whether it is on', async () => {
    const { studio, press, shows } = await open(THREE);
    await shows('demo.d.example.com', 'Final adapter (job 3f2a9c1e)', 'Checkpoint step 40 (job 3f2a9c1e)');
    await shows('Base model: svc/tiny-instruct', 'fixed_api_key', 'none', '● enabled', '○ disabled');
    await shows('3 endpoints').hides(/zebra|cannot serve/);
    for (const one of THREE) {
      studio.world.deployments = [{ ...one, problem: 'Its adapter is damaged.' }];
      await press('r').shows(one.enabled ? '● enabled' : '○ disabled', '✗ cannot serve');
    }
  });

  it('has the share of a canary, and what it is, below its endpoint at any width', async () => {
    const canary = { target: checkpoint, share: 0.1, since: '2026-01-01T00:00:00.000Z' };
    const list = [deployment({ canary }), deployment({ id: 'd2', slug: 'base', target: base })];
    for (const size of [WIDE, { columns: 80, rows: 24 }, { columns: 60, rows: 20 }]) {
      const { shows, lines } = await open(list, size);
      await shows('canary: 10% to Checkpoint step 40 (job 3f2a9c1e)', 'Base model: svc/tiny-instruct');
      expect(lines().filter(line => line.includes('canary'))).toHaveLength(1);
    }
  });

  it('is read when one comes and when one asks, and not by itself; what went wrong is shown beside it', async () => {
    const { studio, press, pass } = await open();
    expect(studio.count('listDeployments')).toBe(1);
    await press('1', '4');
    await pass(600_000);
    await press('j', 'k', '/', 'f');
    expect(studio.count('listDeployments')).toBe(2);
    studio.world.deployments = [deployment({ enabled: false })];
    await press('r').shows('○ disabled');
    studio.fail('listDeployments', new ApiError('state_invalid', 'The state file cannot be parsed.'));
    await press('r').shows('✗ The state file cannot be parsed.', 'demo.localhost:4100');
  });

  it('has the address to call copied, as the page of an endpoint does', async () => {
    const { press, copied } = await open(THREE);
    await press('c').shows('Copied the endpoint URL.');
    await press('enter', 'c').shows('Copied the URL.');
    expect(copied).toEqual(Array(2).fill('https://demo.d.example.com/v1/chat/completions'));
  });

  it('stays as it was read last when an earlier answer comes late', async () => {
    const studio = fakeStudio({ deployments: [deployment({ enabled: false })] });
    const { press, pass } = await openDashboard({ studio, size: WIDE });
    const release = studio.hold('listDeployments');
    await press('4').shows('Loading…');
    studio.hold('listDeployments')();
    await press('r').shows('○ disabled');
    // What Studio knew when it was asked first.
    studio.world.deployments = [deployment()];
    release();
    await pass(1000).shows('○ disabled');
  });
});

describe('while the cloud is away', () => {
  const AWAY = new ApiError('cloud_unreachable', 'The cloud at x is down.');
  const METHODS = ['getCluster', 'listDeployments', 'getDeployment', 'listDeploymentKeys', 'listEvaluations'];
  const fail = (studio: FakeStudio, error?: ApiError) => {
    for (const name of METHODS as (keyof StudioClient)[]) studio.fail(name, error);
  };

  it.each([
    ['the list', ['4'], '1 endpoint', ['listDeployments']],
    ['an endpoint with its keys', ['4', 'enter'], 'live', ['getDeployment', 'listDeploymentKeys']],
    ['its evaluations', ['4', 'enter', 'E'], 'No evaluations', ['listEvaluations']],
  ])('%s stays empty, and is read once it is back', async (_, keys, there, methods) => {
    const studio = fakeStudio({ deployments: [deployment()], keys: [key({ label: 'live' })] });
    const { press, pass, frame } = await openDashboard({ studio, size: WIDE });
    await press(...keys.slice(0, -1));
    fail(studio, AWAY);
    await press(keys.at(-1)!).shows('The cloud at x is down.');
    expect(frame().match(/is down/g)).toHaveLength(1);
    fail(studio);
    const asked = methods.map(studio.count);
    await pass(10_000).shows('● cloud up', there).hides('is down');
    expect(methods.map(studio.count)).toEqual(asked.map(count => count + 1));
    await pass(600_000);
    expect(methods.map(studio.count)).toEqual(asked.map(count => count + 1));
  });

  it('what was read before is not read again by itself', async () => {
    const { studio, pass } = await open();
    fail(studio, AWAY);
    await pass(60_000).shows('The cloud at x is down.', '1 endpoint');
    fail(studio);
    await pass(60_000).shows('● cloud up');
    expect(studio.count('listDeployments')).toBe(1);
  });
});

describe('the form', () => {
  const created = (calls: readonly string[]) =>
    JSON.parse(calls.findLast(call => call.startsWith('createDeployment '))!.slice(17)) as unknown;

  it('has slug, target and auth mode, and creates an endpoint of a final adapter', async () => {
    const { studio, press, shows } = await open([]);
    await press('n').shows('New endpoint', 'Slug', 'Target', 'Job ID', 'Auth mode', 'Create endpoint');
    await press('helpdesk', 'tab', 'tab', JOB_ID, 'enter', 'tab', 'enter');
    const target = { kind: 'adapter', adapter: { kind: 'final', jobId: JOB_ID } };
    expect(created(studio.calls)).toEqual({ slug: 'helpdesk', target, authMode: 'fixed_api_key' });
    await shows('helpdesk.localhost:4100', 'Created endpoint helpdesk.');
    expect([studio.count('listDeployments'), studio.count('listJobs')]).toEqual([2, 0]);
  });

  it('takes the base model without a job', async () => {
    const { studio, press } = await open([]);
    await press('n', 'two', 'down', 'left').shows('Base model: svc/tiny-instruct').hides('Job ID');
    await press('tab', 'right', 'enter', 'enter');
    expect(created(studio.calls)).toEqual({ slug: 'two', target: base, authMode: 'none' });
  });

  it('goes around its fields, and to one that is clicked', async () => {
    const { press, styleOf, lines } = await open([]);
    await press('n', 'shift-tab');
    expect(styleOf(' Create endpoint ')).toContain('inverse');
    await press('down', 'up', 'up').shows('› Auth mode');
    const row = lines().findIndex(line => line.includes('Job ID'));
    await press(`\u001b[<0;4;${row + 1}M`).shows('› Job ID');
  });

  it('is filled in with the adapter to publish, and stays as it is behind help and a question', async () => {
    const { press, shows } = await openDashboard({
      studio: fakeStudio({ train: { running: true, startedAt: 'a', jobId: null, exitCode: null } }),
      start: { tab: 'endpoints', id: null, job: JOB_ID },
    });
    await shows('Final adapter of a job', JOB_ID, '› Slug');
    await press('demo', 'ctrl-c').shows('Quit?');
    await press('tab', 'n', 'ctrl-c').shows('Quit?');
    await press('escape', '2', 'tab', 'right', '?').shows('Next choice');
    await press('tab', 'escape').shows(/Slug +demo2 *$/m, '› Target      ‹ Checkpoint of a job');
  });

  it('says what is wrong with its fields, all in sight where there is little room, goes there, and sends nothing', async () => {
    const { studio, press } = await open([], { columns: 60, rows: 20 });
    await press('n', 'Not A Slug', 'tab', 'right', 'ctrl-s').shows('Use 2–50', 'Enter a job ID', '› Slug');
    await press('tab').shows('Enter a checkpoint step', 'Auth mode', 'Create endpoint');
    expect(studio.count('createDeployment')).toBe(0);
    await press('shift-tab', 'ctrl-u', 'fine').hides('Use 2–50');
  });

  it('says in words of a person what the ID of a job is, and where to get it', async () => {
    const { studio, press } = await open([], { columns: 80, rows: 24 });
    await press('n', 'demo', 'tab', 'tab').shows(
      'The job ID from Jobs, or its start.',
      'Press c there to copy it.',
    );
    await press('zebra', 'ctrl-s').shows('Not a valid job ID. The job ID', '› Job ID');
    expect(studio.count('createDeployment')).toBe(0);
    await press('ctrl-u', JOB_ID, 'ctrl-s').shows('demo.localhost:4100');
  });

  it('stays open with its values when the slug is taken, and shows what the cloud said, at the field that it names', async () => {
    const { studio, press } = await open([]);
    studio.fail('createDeployment', TAKEN);
    await press('n', 'demo', 'tab', 'left', 'ctrl-s').shows('taken: zebra 42', 'demo', 'Create endpoint');
    const reserved = new ApiError('slug_reserved', 'This slug is reserved.', { param: 'slug' });
    studio.fail('createDeployment', reserved);
    await press('ctrl-s').shows('This slug is reserved.', '› Slug');
    studio.fail('createDeployment');
    await press('2', 'ctrl-s').shows('demo2.localhost:4100');
  });

  it('has what was entered when it is opened again, until an endpoint was created of it', async () => {
    const { studio, press } = await open([]);
    await press('n', 'demo', 'tab', 'left', 'escape').shows('No endpoints yet');
    expect(studio.count('createDeployment')).toBe(0);
    await press('1', '4', 'n').shows(/Slug +demo *$/m, 'Base model: svc/tiny-instruct');
    await press('2', 'ctrl-s').shows('demo2.localhost:4100');
    await press('n').shows(/Slug *$/m, 'Final adapter', 'Job ID');
  });

  it('keeps the next endpoint that is typed while the last one is created', async () => {
    const { studio, press, shows, hides } = await open([]);
    const release = studio.hold('createDeployment');
    await press('n', 'demo', 'tab', 'left', 'ctrl-s', 'escape', 'n', '2').shows(/Slug +demo2 *$/m);
    release();
    await shows('Created endpoint demo.', /Slug +demo2 *$/m);
    await press('Rq').shows(/Slug +demo2Rq *$/m);
    await press('escape').shows('demo.localhost:4100');
    await hides('Run training');
  });

  it('says of the last endpoint, and not of the next, what the cloud refused', async () => {
    const { studio, press, shows } = await open([]);
    const release = studio.hold('createDeployment');
    studio.fail('createDeployment', TAKEN);
    await press('n', 'demo', 'tab', 'left', 'ctrl-s', 'escape', 'n', '2').shows(/Slug +demo2 *$/m);
    release();
    await shows('taken: zebra 42');
    await press('3').shows(/Slug +demo23 *$/m, '2–50 lowercase letters');
  });

  it('says what the cloud refused also after it was left', async () => {
    const { studio, press, shows } = await open([]);
    const release = studio.hold('createDeployment');
    studio.fail('createDeployment', TAKEN);
    await press('n', 'demo', 'tab', 'left', 'ctrl-s', 'escape').shows('No endpoints yet');
    release();
    await shows('taken: zebra 42');
  });
});

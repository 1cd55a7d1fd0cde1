// What is typed arrives as it was typed, in every field, however fast it comes.
import { describe, expect, it } from 'vitest';
import { fakeStudio, JOB_ID } from './support/fake-studio.js';
import { type OpenedDashboard, openDashboard } from './support/open-dashboard.js';

const times = (count: number, key: string) => Array.from({ length: count }, () => key);

const inField = (label: string, text: string) => new RegExp(`${label} +${text} *$`, 'm');

const WAYS: [string, (dashboard: OpenedDashboard, keys: readonly string[]) => Promise<void>][] = [
  ['at once', (dashboard, keys) => dashboard.burst(...keys)],
  [
    'one by one',
    async (dashboard, keys) => {
      for (const key of keys) await dashboard.burst(key);
    },
  ],
];

async function openForm(): Promise<OpenedDashboard> {
  const dashboard = await openDashboard({ studio: fakeStudio({ deployments: [] }) });
  await dashboard.press('4', 'n');
  await dashboard.shows('New endpoint', 'Slug');
  return dashboard;
}

describe.each(WAYS)('keys that come %s', (_how, type) => {
  it('are all in the slug, in their order', async () => {
    const dashboard = await openForm();
    await type(dashboard, [...'mnopqrstuvwx']);
    await dashboard.shows(inField('Slug', 'mnopqrstuvwx'));
  });

  it('delete one character each', async () => {
    const dashboard = await openForm();
    await type(dashboard, [...'abcdefghijklmnop', ...times(10, 'backspace')]);
    await dashboard.shows(inField('Slug', 'abcdef'));
    await type(dashboard, times(7, 'backspace'));
    await dashboard.shows(/Slug *$/m);
  });

  it('go where the cursor is', async () => {
    const dashboard = await openForm();
    await type(dashboard, [...'abef', 'left', 'left', ...'cxd', 'left', 'backspace', 'right', 'right', 'Z']);
    await dashboard.shows(inField('Slug', 'abcdeZf'));
  });

  it.each([
    { keys: ['a', 'left', 'left', 'b', 'right', 'right', 'right', 'c'], text: 'bac' },
    { keys: ['a', '👍', 'b', 'left', 'left', 'x', 'right', 'backspace'], text: 'axb' },
    { keys: ['翻', '訳', 'home', 'x', 'end', 'y', 'left', 'left', 'backspace'], text: 'x訳y' },
    { keys: [...'abc', 'left', 'ctrl-u', ...'def', 'escape', 'n'], text: 'def' },
  ])('stay in the text, and whole: $text', async ({ keys, text }) => {
    const dashboard = await openForm();
    await type(dashboard, keys);
    await dashboard.shows(inField('Slug', text));
  });

  it('fill field after field, and make the endpoint that they say', async () => {
    const dashboard = await openForm();
    const fields = [...'okapi', 'tab', 'right', 'tab', ...JOB_ID, 'x', 'backspace', 'tab', ...'40'];
    await type(dashboard, fields);
    await dashboard.shows(inField('Slug', 'okapi'), inField('Job ID', JOB_ID), inField('Step', '40'));
    await type(dashboard, ['shift-tab', ...times(4, 'backspace'), 'shift-tab', 'up', '2']);
    await dashboard.shows(inField('Slug', 'okapi2'), inField('Job ID', JOB_ID.slice(0, -4)));
    await type(dashboard, ['tab', 'tab', ...JOB_ID.slice(-4), 'ctrl-s']);
    await dashboard.shows('okapi2.localhost:4100');
    const target = { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: JOB_ID, step: 40 } };
    const input = { slug: 'okapi2', target, authMode: 'fixed_api_key' };
    expect(dashboard.studio.calls).toContain(`createDeployment ${JSON.stringify(input)}`);
  });

  it('go on after what was pasted', async () => {
    const dashboard = await openForm();
    await type(dashboard, [...'okapi', 'tab', 'tab', `\u001b[200~${JOB_ID}\u001b[201~`]);
    await dashboard.shows(inField('Job ID', JOB_ID));
    await type(dashboard, [...times(36, 'backspace'), ...'zebra']);
    await dashboard.shows(inField('Job ID', 'zebra'), inField('Slug', 'okapi'));
  });

  it('are all in a search', async () => {
    const dashboard = await openDashboard({ studio: fakeStudio() });
    await type(dashboard, ['2', '/', ...'okapia', 'backspace', 'left', 'Z']);
    await dashboard.shows('/okapZi');
  });
});

// What is typed arrives as it was typed, in every field, however fast it comes.
import { describe, expect, it } from 'vitest';
import { JOB_ID } from './support/fake-studio.js';
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

describe.each(WAYS)('keys that come %s', (_how, type) => {
  async function openForm() {
    const dashboard = await openDashboard();
    await dashboard.press('4', 'n').shows('New endpoint', 'Slug');
    return { ...dashboard, enter: (...keys: string[]) => type(dashboard, keys) };
  }

  it.each<[what: string, keys: string[], text: string]>([
    ['are all there, in their order', [...'mnopqrstuvwx'], 'mnopqrstuvwx'],
    ['delete one character each', [...'abcdefghijklmnop', ...times(10, 'backspace')], 'abcdef'],
    ['delete no more than there is', [...'abc', ...times(4, 'backspace')], ''],
    [
      'go where the cursor is',
      [...'abef', 'left', 'left', ...'cxd', 'left', 'backspace', 'right', 'right', 'Z'],
      'abcdeZf',
    ],
    ['stay in the text', ['a', 'left', 'left', 'b', 'right', 'right', 'right', 'c'], 'bac'],
    ['take an emoji whole', ['a', '👍', 'b', 'left', 'left', 'x', 'right', 'backspace'], 'axb'],
    ['take wide letters whole', [...'翻訳', 'home', 'x', 'end', 'y', 'left', 'left', 'backspace'], 'x訳y'],
    [
      'delete what is at the cursor',
      [...'abcd', 'left', 'left', 'delete', ...'x👍', 'left', 'delete'],
      'abxd',
    ],
    ['delete at the end nothing', [...'ab', 'delete', 'backspace', 'c'], 'ac'],
    [
      'go by words',
      [...'one two-three', 'alt-b', 'x', 'alt-left', 'alt-left', 'y', 'alt-f', 'z', 'ctrl-right', '!'],
      'one ytwoz-xthree!',
    ],
    [
      'delete words',
      [...'one two three four ', 'alt-backspace', 'x', 'alt-b', 'alt-b', 'alt-d', 'delete', 'alt-d'],
      'one two',
    ],
    ['are no others with Alt or Ctrl', [...'ab', 'alt-q', 'ctrl-a', 'alt-f', 'backspace', 'c'], 'ac'],
    ['survive that the form is left', [...'abc', 'left', 'ctrl-u', ...'def', 'escape', 'n'], 'def'],
  ])('%s', async (_what, keys, text) => {
    const { enter, shows } = await openForm();
    await enter(...keys);
    await shows(inField('Slug', text));
  });

  it('fill field after field, and make the endpoint that they say', async () => {
    const { enter, shows, studio } = await openForm();
    await enter(...'okapi', 'tab', 'right', 'tab', ...JOB_ID, 'x', 'backspace', 'tab', ...'40');
    await shows(inField('Slug', 'okapi'), inField('Job ID', JOB_ID), inField('Step', '40'));
    await enter('shift-tab', ...times(4, 'backspace'), 'shift-tab', 'up', '2');
    await shows(inField('Slug', 'okapi2'), inField('Job ID', JOB_ID.slice(0, -4)));
    await enter('tab', 'tab', ...JOB_ID.slice(-4), 'ctrl-s');
    await shows('okapi2.localhost:4100');
    const target = { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: JOB_ID, step: 40 } };
    const input = { slug: 'okapi2', target, authMode: 'fixed_api_key' };
    expect(studio.calls).toContain(`createDeployment ${JSON.stringify(input)}`);
  });

  it('go on after what was pasted', async () => {
    const { enter, shows } = await openForm();
    await enter(...'okapi', 'tab', 'tab', `\u001b[200~${JOB_ID}\u001b[201~`);
    await shows(inField('Job ID', JOB_ID));
    await enter(...times(36, 'backspace'), ...'zebra');
    await shows(inField('Job ID', 'zebra'), inField('Slug', 'okapi'));
  });

  it('stay in their field with Alt, and are not commands elsewhere', async () => {
    const dashboard = await openDashboard();
    await type(dashboard, ['2', '/', ...'okapi', 'alt-q', 'alt-b', 'Z']);
    await dashboard.shows('/Zokapi');
    await type(dashboard, ['escape', 'alt-q', 'alt-f', 'alt-d', '4']);
    await dashboard.shows('No endpoints yet');
    expect(dashboard.isLeft).toBe(false);
  });

  it('are all in a search', async () => {
    const dashboard = await openDashboard();
    await type(dashboard, ['2', '/', ...'okapia', 'backspace', 'left', 'Z']);
    await dashboard.shows('/okapZi');
  });
});

describe('a long text', () => {
  it.each([
    ['of wide letters', '翻訳'.repeat(36_000)],
    ['of words', 'zebra okapi '.repeat(6_000)],
  ])('%s is pasted and edited as a short one, and shows what is around the cursor', async (_what, text) => {
    const { press, paste } = await openDashboard({ size: { columns: 60, rows: 20 } });
    await press('2', '/');
    await paste(text);
    await press('x', 'left', 'left', 'delete', 'y').shows(`${text.slice(-20, -1)}yx`);
    await press('home', 'a').shows(`/a${text.slice(0, 20)}`);
    await press('end', 'alt-b', 'b', 'alt-f', 'c').shows('yxc');
    await press('alt-backspace').hides('yxc');
  });
});

// What is learned, in the terminal: figures, findings as filters, and rows token by token.
import { expect, it } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { until } from '../support/until.js';
import { fakeStudio } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';

const open = async (size = { columns: 120, rows: 44 }) => {
  const dashboard = await openDashboard({ studio: fakeStudio(), size });
  await dashboard.press('w').shows('8 rows');
  return dashboard;
};

it('opens from the overview with w, with figures, findings and the tokens of the chosen row', async () => {
  const { shows, studio, press } = await open();
  await shows('What is learned', 'Alpaca: 8 rows', '18 of 60 tokens are learned (30%)');
  await shows('! Cut off: 2 rows', 'train.jsonl:1', 'bug indeed<|im_end|>');
  expect(studio.calls.at(-1)).toBe('previewData {"reload":true,"limit":50,"tokens":true}');
  await press('j').shows('wish indeed<|im_end|>');
  await press('escape').shows('1 Overview');
});

it('shows only the rows of a finding, one finding after the other', async () => {
  const { press, studio } = await open();
  await press('f').shows('Cut off', '2 cut off', '2 rows');
  expect(studio.calls.at(-1)).toContain('"finding":"cut"');
  await press('f').shows('Repeated', '(see train.jsonl:4)', '1 row');
  await press('f', 'f').shows('What is learned', '8 rows');
});

it('shows the lengths of the rows instead of the chosen one, and the row again', async () => {
  const { shows, press } = await open({ columns: 60, rows: 20 });
  await shows('bug indeed<|im_end|>');
  await press('t').shows('Tokens per row', '8–11', '2 ← limit').hides('bug indeed');
  await press('t').shows('bug indeed<|im_end|>');
});

it('tells what is learned, read and cut off apart', async () => {
  const { press, styleOf } = await open();
  await press('j', 'j').shows('I was charged twice.<|im_end|>');
  const looks = ['bill', '<|im_start|>', ' indeed', ' indeed<'].map(styleOf);
  expect(looks).toEqual(['blueBright', 'bold', 'dim strike', 'dim strike']);
});

it('saves all rows as a new file', async () => {
  const saved: string[][] = [];
  const studio = fakeStudio();
  const { press } = await openDashboard({
    studio,
    size: { columns: 120, rows: 44 },
    async saveRows(...given) {
      saved.push(given);
      return saved.length === 1 ? null : 'Could not write rows.jsonl: it exists already.';
    },
  });
  await press('w').shows('8 rows');
  await press('s').shows('Save all rows as: rows.jsonl');
  await press('enter').shows('Saved to rows.jsonl.');
  expect(saved).toEqual([['rows.jsonl', '{"text":"a"}\n', 'new']]);
  await press('s', 'enter').shows('Could not write rows.jsonl: it exists already.');
  studio.fail('readDataRows', new Error('No answers of the teacher yet.'));
  await press('s', 'enter').shows('No answers of the teacher yet.');
});

it('measures on request, and says beside the rows what is wrong', async () => {
  const { press, studio } = await open();
  await press('m').shows('on this machine (1.5 s per step)');
  await press('r').hides('1.5 s per step');
  studio.fail('previewData', new Error('The entry threw.'));
  await press('m').shows('The entry threw.', 'train.jsonl:1', '8 rows');
  studio.fail('previewData');
  await press('r').hides('The entry threw.');
});

it('forgets what was measured when the data is read again, also while it measures', async () => {
  const { press, studio, pass } = await open();
  await press('m').shows('1.5 s per step');
  await press('escape', 'w').shows('8 rows').hides('1.5 s per step');
  for (const keys of [['r'], ['escape', 'w']]) {
    const release = studio.hold('previewData');
    await press('m').shows('Measuring: training a few steps…');
    const measuring = studio.signalOf('previewData');
    expect(measuring.aborted).toBe(false);
    studio.hold('previewData')();
    await press(...keys).hides('Measuring');
    expect(measuring.aborted).toBe(true);
    release();
    await pass(1000).shows('8 rows').hides('1.5 s per step', '✗');
  }
  await press('m').shows('1.5 s per step');
});

it('reads the data again once the cloud is back, if it could not when it was opened', async () => {
  const { press, studio, pass } = await open();
  await press('escape');
  const away = new ApiError('cloud_unreachable', 'The cloud at x is down.');
  studio.fail('previewData', away);
  studio.fail('getCluster', away);
  await press('w').shows('The cloud at x is down.');
  studio.fail('previewData');
  studio.fail('getCluster');
  const asked = studio.count('previewData');
  await pass(10_000).hides('is down').shows('8 rows');
  await until(() => studio.count('previewData')).toBe(asked + 1);
  expect(studio.calls.findLast(call => call.startsWith('previewData'))).toContain('"reload":true');
});

it('asks for the first page alone to be read again, which a further page does not replace', async () => {
  const studio = fakeStudio();
  const { previewData } = studio.client;
  studio.client.previewData = (input, options) => previewData({ ...input, limit: 5 }, options);
  const { press, shows } = await openDashboard({ studio, size: { columns: 120, rows: 44 } });
  await press('w').shows('5 of 8 rows');
  const release = studio.hold('previewData');
  await press('r');
  studio.hold('previewData')();
  await press('G').shows(/[^f] 8 rows/);
  const previews = studio.calls.filter(call => call.startsWith('previewData'));
  expect(previews.slice(-2)).toEqual([
    'previewData {"reload":true,"limit":5,"tokens":true}',
    'previewData {"limit":5,"cursor":"5","tokens":true}',
  ]);
  release();
  await shows('5 of 8 rows');
});

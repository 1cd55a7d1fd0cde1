// The requests that an endpoint keeps, in the terminal.
import { describe, expect, it } from 'vitest';
import { sampleKept } from '../support/sample-kept.js';
import { sampleDeployment } from '../support/samples.js';
import { until } from '../support/until.js';
import { fakeStudio } from './support/fake-studio.js';
import { measure, openDashboard } from './support/open-dashboard.js';

const kept = () => [
  sampleKept({ id: 'first', messages: [{ role: 'user', content: 'Where is parcel 7?' }] }),
  sampleKept({ id: 'second', outcome: 'aborted', answer: { content: 'It arr' } }),
];

const SIZE = { columns: 120, rows: 40 };

const openEndpoint = async (keepRequests = true) => {
  const deployment = sampleDeployment({ keepRequests, runRetentionDays: 30 });
  const studio = fakeStudio({ deployments: [deployment], kept: kept() });
  const start = { tab: 'endpoints', id: deployment.id } as const;
  const dashboard = await openDashboard({ studio, size: SIZE, start });
  await dashboard.shows(deployment.slug);
  return dashboard;
};

const open = async (requests = kept(), size = SIZE) => {
  const studio = fakeStudio({ kept: requests });
  const start = { tab: 'endpoints', id: 'd1', requests: true } as const;
  const dashboard = await openDashboard({ studio, size, start });
  return { dashboard, studio };
};

describe('an endpoint’s page', () => {
  it('says that requests are kept, and for how long, and leads to them with w', async () => {
    const dashboard = await openEndpoint();
    await dashboard.shows('Requests and answers are kept for 30 days.');
    await dashboard.press('w');
    await dashboard.shows('Kept requests', 'All 2', 'parcel 7');
  });

  it('says nothing where none are kept, and leads nowhere', async () => {
    const dashboard = await openEndpoint(false);
    await dashboard.press('w');
    expect(dashboard.frame()).not.toMatch(/kept|30 days/i);
  });
});

describe('kept requests', () => {
  it('are listed with the chosen one in full below', async () => {
    const { dashboard } = await open();
    await dashboard.shows('All 2', 'user: Where is parcel 7?', 'answer: It arrives tomorrow.');
    await dashboard.press('j');
    await dashboard.shows('answer, caller left: It arr');
  });

  it('are marked and corrected, and a correction is not lost without a question', async () => {
    const { dashboard, studio } = await open();
    await dashboard.shows('Kept requests', 'parcel 7');
    await dashboard.press('y');
    await dashboard.shows(/ good /);
    expect(studio.world.kept[0]).toMatchObject({ mark: 'good' });
    await dashboard.press('e');
    await dashboard.shows('Correct answer: It arrives tomorrow.');
    await dashboard.press('!', 'enter');
    await dashboard.shows('corrected: It arrives tomorrow.!');
    await dashboard.press('n');
    await dashboard.shows('Discard the correction?');
    await dashboard.press('n');
    expect(studio.world.kept[0]).toMatchObject({ mark: 'corrected' });
    await dashboard.press('n', 'y');
    await until(() => studio.world.kept[0]).toMatchObject({ mark: 'bad', correction: null });
    studio.fail('updateKeptRequest', new Error('The disk is full.'));
    await dashboard.press('u');
    await dashboard.shows('The disk is full.');
  });

  it('are deleted after a question, and the next one is chosen', async () => {
    const { dashboard, studio } = await open([...kept(), sampleKept({ id: 'third' })]);
    await dashboard.shows('parcel 7');
    await dashboard.press('j', 'x');
    await dashboard.shows('Delete this request? What was asked and answered is gone for good.');
    await dashboard.press('n');
    expect(studio.world.kept).toHaveLength(3);
    await dashboard.press('x', 'y');
    await dashboard.shows('All 2');
    expect(studio.world.kept.map(({ id }) => id)).toEqual(['first', 'third']);
    await dashboard.press('c');
    expect(dashboard.copied).toEqual(['third']);
  });

  it('are filtered by their mark, and say so where there are none', async () => {
    const { dashboard, studio } = await open();
    studio.world.kept[0]!.mark = 'good';
    await dashboard.press('f');
    await dashboard.shows('Unmarked 1');
    await dashboard.press('f');
    await dashboard.shows('Good 1', 'parcel 7');
    await dashboard.press('f');
    await dashboard.shows('No bad answers');
  });

  it('go on at the end of the list', async () => {
    const { dashboard, studio } = await open(
      Array.from({ length: 60 }, (_, n) => sampleKept({ id: `${n}`, answer: { content: `Answer ${n}.` } })),
    );
    await dashboard.shows('All 60');
    await dashboard.press('G', 'c');
    expect(dashboard.copied.at(-1)).toBe('49');
    await until(() => studio.count('listKeptRequests')).toBe(2);
    await dashboard.press('G', 'c');
    await dashboard.shows('answer: Answer 59.');
    expect(dashboard.copied.at(-1)).toBe('59');
  });

  it('show the end of a long one at first', async () => {
    const content = Array.from({ length: 90 }, (_, n) => `line ${n}`).join('\n');
    const { dashboard } = await open([sampleKept({ messages: [{ role: 'user', content }] })]);
    await dashboard.shows('line 89', 'answer: It arrives tomorrow.', 'of 91: K J');
    await dashboard.press('K', 'K', 'K', 'K', 'K', 'K', 'K');
    await dashboard.shows('user: line 0', 'lines 1–');
  });

  it('say what is wrong, and fit a small terminal', async () => {
    const { dashboard, studio } = await open(kept(), { columns: 40, rows: 16 });
    await dashboard.shows(/Mark +Asked/);
    studio.fail('listKeptRequests', new Error('The disk is full.'));
    await dashboard.press('f');
    await dashboard.shows('The disk is full.');
    studio.fail('listKeptRequests');
    await dashboard.press('r');
    await dashboard.shows(/Mark +Asked/);
    expect(measure(dashboard.frame()).columns).toBeLessThanOrEqual(40);
  });
});

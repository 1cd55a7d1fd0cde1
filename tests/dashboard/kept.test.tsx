// The requests that an endpoint keeps, in the terminal.
import { describe, expect, it } from 'vitest';
import { sampleKept } from '../support/sample-kept.js';
import { sampleDeployment } from '../support/samples.js';
import { until } from '../support/until.js';
import { fakeStudio } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';

const kept = () => [
  sampleKept({ id: 'first', messages: [{ role: 'user', content: 'Where is parcel 7?' }] }),
  sampleKept({ id: 'second', outcome: 'aborted', answer: { content: 'It arr' } }),
];

const open = async (keepRequests = true, size = { columns: 120, rows: 40 }) => {
  const deployment = sampleDeployment({ keepRequests, runRetentionDays: 30 });
  const studio = fakeStudio({ deployments: [deployment], kept: kept() });
  const dashboard = await openDashboard({ studio, size });
  await dashboard.press('4', 'enter');
  await dashboard.shows(deployment.slug);
  return { dashboard, studio };
};

describe('an endpoint’s page', () => {
  it('says that requests are kept, and for how long', async () => {
    const { dashboard } = await open();
    await dashboard.shows('Requests and answers are kept for 30 days.');
  });

  it('says nothing where none are kept, and leads nowhere', async () => {
    const { dashboard } = await open(false);
    await dashboard.press('w');
    expect(dashboard.frame()).not.toMatch(/kept|30 days/i);
  });
});

describe('kept requests', () => {
  it('open with w, with the chosen one in full below', async () => {
    const { dashboard } = await open();
    await dashboard.press('w');
    await dashboard.shows(
      'Kept requests',
      'All 2',
      'user: Where is parcel 7?',
      'answer: It arrives tomorrow.',
    );
    await dashboard.press('j');
    await dashboard.shows('answer, caller left: It arr');
  });

  it('are marked and corrected, and a correction is not lost without a question', async () => {
    const { dashboard, studio } = await open();
    await dashboard.press('w');
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
  });

  it('are deleted after a question', async () => {
    const { dashboard, studio } = await open();
    await dashboard.press('w');
    await dashboard.shows('Kept requests', 'parcel 7');
    await dashboard.press('x');
    await dashboard.shows('Delete this request? What was asked and answered is gone for good.');
    await dashboard.press('n');
    expect(studio.world.kept).toHaveLength(2);
    await dashboard.press('x', 'y');
    await dashboard.shows('All 1');
    expect(studio.world.kept.map(({ id }) => id)).toEqual(['second']);
  });

  it('are filtered by their mark, and say so where there are none', async () => {
    const { dashboard, studio } = await open();
    studio.world.kept[0]!.mark = 'good';
    await dashboard.press('w', 'f');
    await dashboard.shows('Unmarked 1');
    await dashboard.press('f');
    await dashboard.shows('Good 1', 'parcel 7');
    await dashboard.press('f');
    await dashboard.shows('No bad answers');
  });

  it('say what is wrong, and fit a small terminal', async () => {
    const { dashboard, studio } = await open(true, { columns: 40, rows: 15 });
    studio.fail('listKeptRequests', new Error('The cloud is away.'));
    await dashboard.press('w');
    await dashboard.shows('The cloud is away.');
    studio.fail('listKeptRequests');
    await dashboard.press('r');
    await dashboard.shows(/Mark +Asked/);
    expect(Math.max(...dashboard.lines().map(line => line.length))).toBeLessThanOrEqual(40);
  });
});

// The rows of a job in the terminal: all, those whose loss rises, and those of a step.
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { until } from '../support/until.js';
import { fakeStudio, JOB_ID, jobSummary } from './support/fake-studio.js';
import { measure, openDashboard } from './support/open-dashboard.js';

const SIZE = { columns: 120, rows: 40 };

const open = async ({ rows = 'all' as 'all' | number, size = SIZE, studio = fakeStudio() } = {}) => {
  const start = { tab: 'jobs', id: JOB_ID, rows } as const;
  return { studio, dashboard: await openDashboard({ studio, size, start }) };
};

const openJob = async () => {
  const studio = fakeStudio({ jobs: [jobSummary()] });
  const dashboard = await openDashboard({ studio, size: SIZE, start: { tab: 'jobs', id: JOB_ID } });
  return { studio, dashboard };
};

describe("a job's rows", () => {
  it('open with w, worst first, with the chosen one in full below', async () => {
    const { dashboard } = await openJob();
    await dashboard.press('w');
    await dashboard.shows('Rows learned worst', /Last +First +Change +Over time +Answer/, '12 rows');
    await dashboard.shows(
      'Ticket 10: the invoice shows the wrong amount',
      'tickets.jsonl:10 · trained on 3 times',
    );
    await dashboard.press('j');
    await dashboard.shows('tickets.jsonl:5 · trained on 3 times');
  });

  it('can be only those whose loss rises', async () => {
    const { dashboard, studio } = await open();
    await dashboard.press('f');
    await dashboard.shows('Rows whose loss rises', '2 rows', '+0.400');
    expect(studio.calls.at(-1)).toBe(`listJobRows "${JOB_ID}" {"sort":"rise","rising":true,"limit":100}`);
    expect(dashboard.styleOf('+0.400')).toContain('red');
    await dashboard.press('f');
    await dashboard.shows('Rows learned worst');
  });

  it('can be those of the step at the chart’s cursor, and Esc goes back to the chart', async () => {
    const { dashboard, studio } = await openJob();
    for (const step of [3, 4, 7]) studio.sources.at(-1)!.send('training.log', log(step));
    await dashboard.shows('Latest: step 7');
    await dashboard.press('left', 'left');
    await dashboard.shows('Step 4');
    await dashboard.press('enter');
    await dashboard.shows('Rows of step 4', /In step +Last +First/);
    await dashboard.press('escape');
    await dashboard.shows('Metadata');
  });

  it('go on at the end of the list, page after page, and stay while another view is shown', async () => {
    const { dashboard, studio } = await open({ studio: inPagesOf(5) });
    await dashboard.shows('5 of 12 rows');
    await dashboard.press('G');
    await dashboard.shows('10 of 12 rows');
    studio.fail('listJobRows', new Error('The disk is full.'));
    await dashboard.press('G');
    await dashboard.shows('The disk is full.', '10 of 12 rows');
    studio.fail('listJobRows');
    await dashboard.press('j');
    await dashboard.shows(' 12 rows');
    await dashboard.hides('The disk is full.');
    await dashboard.press('G');
    const [, chosen] = /(tickets\.jsonl:\d+) · /.exec(dashboard.frame())!;
    await dashboard.press('1', 'escape');
    await dashboard.shows('12 rows', `${chosen} · `);
    await dashboard.press('r');
    await until(() => studio.count('listJobRows')).toBeGreaterThanOrEqual(10);
    await dashboard.shows(' 12 rows', `${chosen} · `);
  });

  it('show all of a long one, a page at a time', async () => {
    const words = Array.from({ length: 300 }, (_, word) => `word${word}`).join(' ');
    const { dashboard } = await open({ studio: saying(words) });
    await dashboard.shows('word50', 'lines 1–8 of 22: K J');
    await dashboard.press('J');
    await dashboard.shows('word150', 'lines 8–15 of 22: K J');
    await dashboard.press('J', 'J');
    await dashboard.shows('word299', 'lines 15–22 of 22: K J');
    await dashboard.press('K');
    await dashboard.shows('lines 8–15 of 22: K J');
    await dashboard.press('j', 'k');
    await dashboard.shows('lines 1–8 of');
  });

  it('say nothing of a cloud that is away, and come once it is back', async () => {
    const { dashboard, studio } = await open();
    await dashboard.shows('12 rows');
    studio.fail('listJobRows', new ApiError('cloud_unreachable', 'The cloud at x is down.'));
    await dashboard.press('f');
    await dashboard.shows('Not loaded yet');
    expect(dashboard.frame().match(/is down/g)).toHaveLength(1);
    studio.fail('listJobRows');
    await dashboard.pass(10_000);
    await dashboard.shows('2 rows');
  });

  it('say what is wrong, and fit a small terminal', async () => {
    const { dashboard, studio } = await open({ size: { columns: 40, rows: 16 } });
    studio.fail('listJobRows', new Error('The disk is full.'));
    await dashboard.press('f');
    await dashboard.shows('The disk is full.');
    studio.fail('listJobRows');
    await dashboard.press('r');
    await dashboard.shows(/Last +First +Change +Answer/, '2 rows');
    expect(measure(dashboard.frame()).columns).toBeLessThanOrEqual(40);
  });
});

function log(step: number) {
  const timestamp = '2026-01-02T03:04:05.000Z';
  return { type: 'training.log', jobId: JOB_ID, timestamp, step, loss: 2 };
}

function inPagesOf(limit: number) {
  const studio = fakeStudio();
  const { listJobRows } = studio.client;
  Object.assign(studio.client, {
    listJobRows: (id: string, asked: object) => listJobRows(id, { ...asked, limit }),
  });
  return studio;
}

function saying(answer: string) {
  const studio = fakeStudio();
  const { listJobRows } = studio.client;
  Object.assign(studio.client, {
    async listJobRows(id: string, asked: object) {
      const found = await listJobRows(id, asked);
      const [first, ...rest] = found.rows;
      return { ...found, rows: [{ ...first!, text: { ...first!.text!, answer } }, ...rest] };
    },
  });
  return studio;
}

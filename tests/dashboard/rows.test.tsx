// The rows of a job in the terminal: all, those whose loss rises, and those of a step.
import { describe, expect, it } from 'vitest';
import { fakeStudio, JOB_ID, jobSummary } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';

const open = async (size = { columns: 120, rows: 40 }) => {
  const studio = fakeStudio({ jobs: [jobSummary()] });
  const dashboard = await openDashboard({ studio, size });
  await dashboard.press('2', 'enter');
  return { ...dashboard, studio, dashboard };
};

describe("a job's rows", () => {
  it('open with w, worst first, with the chosen one in full below', async () => {
    const { dashboard } = await open();
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
    await dashboard.press('w', 'f');
    await dashboard.shows('Rows whose loss rises', '2 rows', '+0.400');
    expect(studio.calls.at(-1)).toBe(`listJobRows "${JOB_ID}" {"sort":"rise","rising":true,"limit":100}`);
    await dashboard.press('f');
    await dashboard.shows('Rows learned worst');
  });

  it('can be those of the step at the chart’s cursor, and Esc goes back to the chart', async () => {
    const { dashboard, studio } = await open();
    for (const step of [3, 4, 7]) studio.sources.at(-1)!.send('training.log', log(step));
    await dashboard.shows('Latest: step 7');
    await dashboard.press('left', 'left');
    await dashboard.shows('Step 4');
    await dashboard.press('enter');
    await dashboard.shows('Rows of step 4', /In step +Last +First/);
    await dashboard.press('escape');
    await dashboard.shows('Metadata');
  });

  it('say what is wrong, and fit a small terminal', async () => {
    const { dashboard, studio } = await open({ columns: 40, rows: 15 });
    studio.fail('listJobRows', new Error('The cloud is away.'));
    await dashboard.press('w');
    await dashboard.shows('The cloud is away.');
    studio.fail('listJobRows');
    await dashboard.press('r');
    await dashboard.shows(/Last +First +Change +Answer/, '12 rows');
    expect(Math.max(...dashboard.lines().map(line => line.length))).toBeLessThanOrEqual(40);
  });
});

function log(step: number) {
  const timestamp = '2026-01-02T03:04:05.000Z';
  return { type: 'training.log', jobId: JOB_ID, timestamp, step, loss: 2 };
}

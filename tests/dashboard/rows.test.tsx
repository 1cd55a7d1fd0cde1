// The rows of a job in the terminal: all, those whose loss rises, and those of a step.
import { expect, it } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { until } from '../support/until.js';
import { fakeStudio, JOB_ID } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';
import { openJob, WIDE } from './support/open-job.js';

const open = async (studio = fakeStudio()) =>
  openDashboard({ studio, size: WIDE, start: { tab: 'jobs', id: JOB_ID, rows: 'all' } });

it("a job's rows open with w, worst first, with the chosen one in full below", async () => {
  const { press } = await openJob({ status: 'completed' });
  await press('w')
    .shows('Rows learned worst', /Last +First +Change +Over time +Answer/, '12 rows')
    .shows('Ticket 10: the invoice shows the wrong amount', 'tickets.jsonl:10 · trained on 3 times');
  await press('j').shows('tickets.jsonl:5 · trained on 3 times');
});

it("a job's rows can be only those whose loss rises", async () => {
  const { press, studio, styleOf } = await open();
  await press('f').shows('Rows whose loss rises', '2 rows', '+0.400');
  expect(studio.calls.at(-1)).toBe(`listJobRows "${JOB_ID}" {"sort":"rise","rising":true,"limit":100}`);
  expect(styleOf('+0.400')).toContain('red');
  await press('f').shows('Rows learned worst');
});

it("a job's rows can be those of the step at the chart’s cursor, and Esc goes back to the chart", async () => {
  const { press, log, shows } = await openJob({ status: 'completed' });
  for (const step of [3, 4, 7]) log({ step, loss: 2 });
  await shows('Latest: step 7');
  await press('left', 'left').shows('Step 4');
  await press('enter').shows('Rows of step 4', /In step +Last +First/);
  await press('escape').shows('Metadata');
});

it("a job's rows go on at the end of the list, page after page, and stay while another view is shown", async () => {
  const { press, shows, studio, frame } = await open(inPagesOf(5));
  await shows('5 of 12 rows');
  await press('G').shows('10 of 12 rows');
  studio.fail('listJobRows', new Error('The disk is full.'));
  await press('G').shows('The disk is full.', '10 of 12 rows');
  studio.fail('listJobRows');
  await press('j').shows(' 12 rows').hides('The disk is full.');
  await press('G');
  const [, chosen] = /(tickets\.jsonl:\d+) · /.exec(frame())!;
  await press('1', 'escape').shows('12 rows', `${chosen} · `);
  await press('r');
  await until(() => studio.count('listJobRows')).toBeGreaterThanOrEqual(10);
  await shows(' 12 rows', `${chosen} · `);
});

it("a job's rows show all of a long one, a page at a time", async () => {
  const words = Array.from({ length: 300 }, (_, word) => `word${word}`).join(' ');
  const { press, shows } = await open(saying(words));
  await shows('word50', 'lines 1–8 of 22: K J');
  await press('J').shows('word150', 'lines 8–15 of 22: K J');
  await press('J', 'J').shows('word299', 'lines 15–22 of 22: K J');
  await press('K').shows('lines 8–15 of 22: K J');
  await press('j', 'k').shows('lines 1–8 of');
});

it("a job's rows say what is wrong, but nothing of a cloud that is away, and come once it is back", async () => {
  const { press, shows, studio, frame, pass } = await open();
  await shows('12 rows');
  studio.fail('listJobRows', new Error('The disk is full.'));
  await press('r').shows('The disk is full.');
  studio.fail('listJobRows', new ApiError('cloud_unreachable', 'The cloud at x is down.'));
  await press('f').shows('Not loaded yet');
  expect(frame().match(/is down/g)).toHaveLength(1);
  studio.fail('listJobRows');
  await pass(10_000).shows('2 rows');
});

function inPagesOf(limit: number) {
  const studio = fakeStudio();
  const { listJobRows } = studio.client;
  studio.client.listJobRows = (id, asked) => listJobRows(id, { ...asked, limit });
  return studio;
}

function saying(answer: string) {
  const studio = fakeStudio();
  const { listJobRows } = studio.client;
  studio.client.listJobRows = async (id, asked) => {
    const found = await listJobRows(id, asked);
    const [first, ...rest] = found.rows;
    return { ...found, rows: [{ ...first!, text: { ...first!.text!, answer } }, ...rest] };
  };
  return studio;
}

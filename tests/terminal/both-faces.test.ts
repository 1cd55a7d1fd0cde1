// Browser and terminal over one `svc dev`, open at the same time on the same job: they say the same.
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { projectOfEach } from '../cli/support/project.js';
import { launchChromium } from '../support/chromium.js';
import { createEventLog } from '../support/fake-studio/event-log.js';
import { PATIENCE_MS } from '../support/patience.js';
import { JOB_ID, sampleJob } from '../support/samples.js';
import { until } from '../support/until.js';
import { openSvc } from './support/open-svc.js';
import type { Screen } from './support/screen.js';

const job = sampleJob({ id: JOB_ID, status: 'running', totalSteps: 60 });
const log = createEventLog();
let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());
const project = projectOfEach({
  isLinked: true,
  routes: { listJobs: () => ({ jobs: [job] }), getJob: () => ({ job }), streamJobEvents: log.respond },
});

function train(from: number, to: number): void {
  for (let step = from; step <= to; step++) {
    const loss = 0.4 + 2 / step + Math.sin(step) / 7;
    log.push('training.log', { step, loss, ...(step % 7 === 0 && { evalLoss: loss * 1.1 }) });
  }
}

it('both faces show the same status, values, statistics and number of events', async () => {
  const screen = openSvc(['dev', '--port', '0'], {
    cwd: project.cwd,
    env: project.env,
    size: { columns: 130, rows: 50 },
  });
  await screen.shows('1 Overview');
  screen.press('2');
  await screen.shows(JOB_ID);
  screen.press('enter');
  await screen.shows('Event log');
  screen.press('a');
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const { url } = JSON.parse(await readFile(project.path('.svc', 'studio.json'), 'utf8'));
  await page.goto(`${url}/#/jobs/${JOB_ID}`);
  await page.getByRole('button', { name: 'Advanced' }).click();

  const agreeOn = (expected: Partial<ReturnType<typeof readTerminal>>) =>
    until(async () => {
      const [terminal, web] = [readTerminal(screen), await readPage(page)];
      expect(web).toEqual(terminal);
      return terminal;
    }).toMatchObject(expected);

  log.push('training.started', { totalSteps: 60 });
  train(1, 31);
  await agreeOn({ status: 'running', events: 32 });
  expect(readTerminal(screen).training).toHaveLength(6);
  train(32, 60);
  log.push('checkpoint.saved', { step: 60 });
  log.push('training.completed', { artifacts: [{}, {}], metrics: {} });
  log.push('end', { status: 'completed' });
  await agreeOn({ status: 'completed', events: 63 });
});

function readTerminal(screen: Screen) {
  const [lines, text] = [screen.lines(), screen.text()];
  const find = (pattern: RegExp, where: string) => pattern.exec(where)?.[1] ?? '';
  const figures = lines
    .map(line => find(/│ (?:Mean, 95% CI|Std. deviation|Variance|p90|p95|Values) +(\S.*?) *│$/, line))
    .filter(Boolean);
  const lastLog = lines.findLast(line => line.includes('training.log')) ?? '';
  return {
    status: find(/^ \S (\w+) /m, lines.slice(2).join('\n')),
    events: Number(find(/(\d+) events? ─*╮$/m, text)),
    lastValues: find(/training\.log +(\S.*?) *│$/, lastLog),
    training: figures.slice(0, 6),
    evaluation: figures.slice(6),
  };
}

async function readPage(page: Page): Promise<ReturnType<typeof readTerminal>> {
  const events = page.getByRole('region', { name: 'Events' });
  const figures = (name: string) =>
    page.getByRole('region', { name, exact: true }).locator('dd').allTextContents();
  const values = await events.locator('[data-event="training.log"] + td').allTextContents();
  const status = await page.getByRole('status').filter({ hasText: 'Status: ' }).textContent();
  return {
    status: (status ?? '').replace('Status: ', ''),
    events: await events.locator('tbody tr').count(),
    lastValues: values.at(-1) ?? '',
    training: await figures('Training loss'),
    evaluation: await figures('Eval loss'),
  };
}

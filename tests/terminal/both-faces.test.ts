// Browser and terminal over one `svc dev`, open at the same time on the same job: they say the same.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { createEventLog } from '../support/fake-studio/event-log.js';
import { PATIENCE_MS } from '../support/patience.js';
import { openRemoteProject, type RemoteProject } from '../support/remote-project.js';
import { JOB_ID, sampleJob } from '../support/samples.js';
import { until } from '../support/until.js';
import { openSvc } from './support/open-svc.js';
import type { Screen } from './support/screen.js';

interface Reading {
  status: string;
  events: number;
  lastValues: string;
  training: string[];
  evaluation: string[];
}

const job = sampleJob({ id: JOB_ID, status: 'running', totalSteps: 60 });
const log = createEventLog();
let project: RemoteProject;
let browser: Browser;
beforeAll(async () => {
  project = await openRemoteProject({
    listJobs: () => ({ jobs: [job] }),
    getJob: () => ({ job }),
    streamJobEvents: log.respond,
  });
  await project.link();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await project?.close();
});

function train(from: number, to: number): void {
  for (let step = from; step <= to; step++) {
    const loss = 0.4 + 2 / step + Math.sin(step) / 7;
    log.push('training.log', { step, loss, ...(step % 7 === 0 && { evalLoss: loss * 1.1 }) });
  }
}

it('both faces show the same status, values, statistics and number of events', async () => {
  const screen = openSvc(['dev', '--port', '0'], { ...project, size: { columns: 130, rows: 50 } });
  await screen.shows('1 Overview');
  screen.press('2');
  await screen.shows(JOB_ID);
  screen.press('enter');
  await screen.shows('Event log');
  screen.press('a');
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const { url } = JSON.parse(await readFile(join(project.cwd, '.svc', 'studio.json'), 'utf8'));
  await page.goto(`${url}/#/jobs/${JOB_ID}`);
  await page.getByRole('button', { name: 'Advanced' }).click();

  const agreeOn = (expected: Partial<Reading>) =>
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

function readTerminal(screen: Screen): Reading {
  const lines = screen.lines();
  const figures = lines
    .map(line => /│ (?:Mean, 95% CI|Std. deviation|Variance|p90|p95|Values) +(\S.*?) *│$/.exec(line)?.[1])
    .filter(figure => figure !== undefined);
  return {
    status: /^ \S (\w+) /m.exec(screen.text().split('\n').slice(2).join('\n'))?.[1] ?? '',
    events: Number(/(\d+) events? ─*╮$/m.exec(screen.text())?.[1]),
    lastValues:
      /training\.log +(\S.*?) *│$/.exec(lines.findLast(line => line.includes('training.log')) ?? '')?.[1] ??
      '',
    training: figures.slice(0, 6),
    evaluation: figures.slice(6),
  };
}

async function readPage(page: Page): Promise<Reading> {
  const events = page.getByRole('region', { name: 'Events' });
  const figures = (name: string) =>
    page.getByRole('region', { name, exact: true }).locator('dd').allTextContents();
  const values = await events.locator('[data-event="training.log"] + td').allTextContents();
  return {
    status: ((await page.getByRole('status').filter({ hasText: 'Status: ' }).textContent()) ?? '').replace(
      'Status: ',
      '',
    ),
    events: await events.locator('tbody tr').count(),
    lastValues: values.at(-1) ?? '',
    training: await figures('Training loss'),
    evaluation: await figures('Eval loss'),
  };
}

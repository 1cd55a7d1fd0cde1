// A job of 100,000 points: until it stands there, what one more point costs, and what a hover costs.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { startFakeStudio } from '../../support/fake-studio.js';
import { sampleJob } from '../../support/samples.js';
import type { Row } from '../table.js';
import { painted, watchBusyTime } from './busy-time.js';

const POINTS = 100_000;
const UPDATES = 50;
const START = Date.UTC(2026, 0, 1);
/** Long enough that each is drawn. */
const PAUSE_MS = 150;

export async function measureChart(browser: Browser): Promise<Row[]> {
  const studio = await startFakeStudio();
  const job = sampleJob();
  studio.world.jobs = [job];
  const events = studio.world.eventsOf(job.id);
  const push = (step: number) =>
    events.push('training.log', {
      type: 'training.log',
      jobId: job.id,
      timestamp: new Date(START + step * 100).toISOString(),
      step,
      loss: 3 / Math.sqrt(step) + Math.sin(step * 12.9898) / 10,
    });
  for (let step = 1; step <= POINTS; step++) push(step);
  const page = await browser.newPage();
  try {
    const busy = await watchBusyTime(page);
    const began = performance.now();
    await page.goto(`${studio.url}/#/jobs/${job.id}`);
    await page.getByText(`step=${POINTS} `).waitFor({ timeout: 120_000 });
    await painted(page);
    const replay = performance.now() - began;
    const replayBusy = await busy.sinceLast();
    for (let update = 1; update <= UPDATES; update++) {
      push(POINTS + update);
      await sleep(PAUSE_MS);
    }
    const update = (await busy.sinceLast()) / UPDATES;
    await page.getByText(`step=${POINTS + UPDATES} `).waitFor();
    const box = (await page.getByRole('slider').boundingBox())!;
    await busy.sinceLast();
    for (let move = 0; move < UPDATES; move++) {
      await page.mouse.move(box.x + 60 + ((box.width - 90) * move) / UPDATES, box.y + 100);
      await painted(page);
    }
    const hover = (await busy.sinceLast()) / UPDATES;
    return [
      { what: 'a job of 100,000 points, from its address to the chart', value: replay },
      { what: '… of that, main thread', value: replayBusy },
      { what: '… one more point, main thread', value: update },
      { what: '… a move of the crosshair, main thread', value: hover },
    ];
  } finally {
    await page.close();
    await studio.close();
  }
}

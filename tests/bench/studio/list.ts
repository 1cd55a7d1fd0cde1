// The list of 10,000 jobs: until it stands there, a search, a filter, and frames while it scrolls.
import type { Browser, Page } from 'playwright-core';
import { JOB_STATUSES } from '../../../lib/contract/index.js';
import { startFakeStudio } from '../../support/fake-studio.js';
import { sampleJob } from '../../support/samples.js';
import { median } from '../median.js';
import type { Row } from '../table.js';
import { painted, watchBusyTime } from './busy-time.js';

const JOBS = 10_000;
const SCROLLS = 100;

export async function measureList(browser: Browser): Promise<Row[]> {
  const studio = await startFakeStudio();
  studio.world.jobs = Array.from({ length: JOBS }, (_, index) =>
    sampleJob({
      id: `${index.toString(16).padStart(8, '0')}-aaaa-4bbb-8ccc-dddddddddddd`,
      name: `job ${index}`,
      status: JOB_STATUSES[index % JOB_STATUSES.length]!,
    }),
  );
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    const busy = await watchBusyTime(page);
    const began = performance.now();
    await page.goto(`${studio.url}/#/jobs`);
    await page.getByText('10,000 jobs').waitFor();
    await painted(page);
    const shown = performance.now() - began;
    const shownBusy = await busy.sinceLast();
    await page.getByRole('searchbox').pressSequentially('job 99');
    await painted(page);
    const key = (await busy.sinceLast()) / 'job 99'.length;
    await page.getByRole('searchbox').fill('');
    await painted(page);
    await busy.sinceLast();
    await page.getByRole('button', { name: 'Failed' }).click();
    await painted(page);
    const filter = await busy.sinceLast();
    await page.getByRole('button', { name: 'All' }).click();
    await painted(page);
    await busy.sinceLast();
    const frames = await scroll(page);
    const scrolled = (await busy.sinceLast()) / SCROLLS;
    return [
      { what: 'a list of 10,000 jobs, from its address to the rows', value: shown },
      { what: '… of that, main thread', value: shownBusy },
      { what: '… a key of a search, main thread', value: key },
      { what: '… a filter, main thread', value: filter },
      { what: '… a frame of scrolling, main thread', value: scrolled },
      { what: '… between frames while it scrolls, median', value: median(frames) },
      { what: '… and the longest', value: Math.max(...frames) },
    ];
  } finally {
    await page.close();
    await studio.close();
  }
}

/** Down by three windows and more a frame: each brings other rows. */
function scroll(page: Page): Promise<number[]> {
  return page.evaluate<number[]>(`(async () => {
    const frame = () => new Promise(done => requestAnimationFrame(done));
    const times = [];
    let last = await frame();
    for (let count = 0; count < ${SCROLLS}; count++) {
      scrollBy(0, 3000);
      const now = await frame();
      times.push(now - last);
      last = now;
    }
    return times;
  })()`);
}

// How long the page's main thread was busy, by the browser's own account: its own time, whatever else the machine does.
import type { Page } from 'playwright-core';

export interface BusyTime {
  /** Milliseconds since the last time this was asked. */
  sinceLast(): Promise<number>;
}

export async function watchBusyTime(page: Page): Promise<BusyTime> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  let last = 0;
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  return {
    async sinceLast() {
      const now = await read();
      const spent = now - last;
      last = now;
      return spent;
    },
  };
}

/** Resolves once what has happened is on the screen. */
export const painted = (page: Page) =>
  page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))');

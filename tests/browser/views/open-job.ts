// A job's page, and what the tests of it look at.
import type { JobStatus } from '../../../lib/contract/index.js';
import { sampleJob } from '../../support/samples.js';
import { type OpenOptions, openStudio, until } from '../harness.js';

export const JOB = sampleJob();

export async function openJob(status: JobStatus = 'running', options: OpenOptions = {}) {
  const opened = await openStudio(`#/jobs/${JOB.id}`, {
    ...options,
    arrange: world => {
      world.jobs = [sampleJob({ status })];
      options.arrange?.(world);
    },
  });
  const { page, world } = opened;
  const events = world.eventsOf(JOB.id);
  /** A `training.log` with these fields. */
  const log = (fields: object) => events.push('training.log', fields);
  await until(() => events.open()).toBe(1);
  const rows = async () => {
    const cells = await page.locator('tbody td').allTextContents();
    return Array.from({ length: cells.length / 2 }, (_, row) => cells.slice(2 * row, 2 * row + 2));
  };
  return {
    ...opened,
    events,
    log,
    logs: (losses: readonly number[]) => losses.forEach((loss, index) => void log({ step: index + 1, loss })),
    badge: () => page.locator('h1 + .badge').textContent(),
    rows,
    messages: async () => (await rows()).map(([, message]) => message),
    fact(label: string) {
      const term = page.locator('dt').getByText(label, { exact: true });
      return page.locator('dl div').filter({ has: term }).locator('dd').textContent();
    },
    interruption: page.getByText('Event stream interrupted.', { exact: true }),
  };
}

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
  await until(() => events.open()).toBe(1);
  return {
    ...opened,
    events,
    /** A `training.log` with these fields. */
    log: (fields: object) => events.push('training.log', fields),
    logs: (losses: readonly number[]) => {
      for (const [index, loss] of losses.entries()) events.push('training.log', { step: index + 1, loss });
    },
    badge: () => page.locator('h1 + .badge').textContent(),
    rows: async () => {
      const cells = await page.locator('tbody td').allTextContents();
      return Array.from({ length: cells.length / 2 }, (_, row) => cells.slice(2 * row, 2 * row + 2));
    },
    fact: (label: string) =>
      page
        .locator('dl div')
        .filter({ has: page.locator('dt').getByText(label, { exact: true }) })
        .locator('dd')
        .textContent(),
    legend: async () =>
      (await page.getByRole('group', { name: 'Series' }).getByRole('button').allTextContents()).map(text =>
        text.trim(),
      ),
    interruption: page.getByText('Event stream interrupted.', { exact: true }),
  };
}

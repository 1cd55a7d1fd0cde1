// A job's page, and what its events tell it.
import type { Job } from '../../../lib/contract/index.js';
import { fakeStudio, jobSummary } from './fake-studio.js';
import { openDashboard } from './open-dashboard.js';

export const WIDE = { columns: 120, rows: 40 };

/** Sizes of terminals, from a small one to one that fills a screen. */
export const SIZES = [
  [60, 20],
  [80, 24],
  [120, 40],
  [200, 60],
] as const;

interface OpenJobOptions {
  size?: { columns: number; rows: number };
  isAscii?: boolean;
}

export async function openJob(job: Partial<Job> = {}, { size = WIDE, isAscii = false }: OpenJobOptions = {}) {
  const studio = fakeStudio({ jobs: [jobSummary({ status: 'running', ...job })] });
  const dashboard = await openDashboard({ studio, size, isAscii });
  await dashboard.press('2', 'enter').shows('Loss');
  // The overview follows a run, too.
  const source = studio.sources.at(-1)!;
  return Object.assign(dashboard, {
    source,
    /** A `training.log` with these fields. */
    log: (fields: object) => source.send('training.log', fields),
    /** What the model says to the first of its samples. */
    answer: (step: number, text: string) =>
      source.send('sample.generated', { step, sample: 0, answer: text, finishReason: 'stop' }),
  });
}

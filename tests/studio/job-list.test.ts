// How Studio answers the poll of a face: with what has changed since its last look.
import { describe, expect, it } from 'vitest';
import { CHANGES_WANTED, type JobSummary } from '../../lib/contract/index.js';
import { createJobListAnswers } from '../../lib/studio/handlers/job-list.js';
import { sampleJob } from '../support/samples.js';

const jobOf = (index: number, fields: Partial<JobSummary> = {}): JobSummary =>
  sampleJob({ id: `job-${index}`, ...fields });
const jobsOf = (count: number) => Array.from({ length: count }, (_, index) => jobOf(index));

function openList() {
  const answer = createJobListAnswers();
  let tag: string | null = null;
  return async (jobs: readonly JobSummary[], headers: Record<string, string> = CHANGES_WANTED) => {
    const known = tag === null ? {} : { 'if-none-match': tag };
    const request = new Request('http://localhost/api/jobs', { headers: { ...known, ...headers } });
    const response = answer(request, { jobs });
    tag = response.headers.get('etag');
    const text = await response.text();
    return { status: response.status, text, body: text === '' ? null : JSON.parse(text) };
  };
}

describe('a poll of the list', () => {
  it('gets the whole list once, and then what has changed', async () => {
    const poll = openList();
    const jobs = jobsOf(10);
    expect(await poll(jobs)).toMatchObject({ status: 200, body: { jobs } });
    expect((await poll(jobs)).status).toBe(304);
    const changed = jobs.with(3, jobOf(3, { step: 7 }));
    const { status, body } = await poll([jobOf(99), ...changed]);
    expect(status).toBe(226);
    expect(body).toMatchObject({
      added: [{ id: 'job-99' }],
      changed: [{ id: 'job-3', step: 7 }],
      removed: [],
    });
  });

  it('gets nothing where the same jobs are read again', async () => {
    const poll = openList();
    await poll(jobsOf(3));
    expect((await poll(jobsOf(3))).status).toBe(304);
  });

  it('gets the whole list where it takes no changes, or most of it is new', async () => {
    const poll = openList();
    await poll(jobsOf(2));
    expect((await poll([jobOf(7), ...jobsOf(2)], {})).status).toBe(200);
    expect((await poll(Array.from({ length: 9 }, (_, index) => jobOf(100 + index)))).status).toBe(200);
  });

  it('sends as much for 10,000 jobs as for 100', async () => {
    const sizes: number[] = [];
    for (const count of [100, 10_000]) {
      const poll = openList();
      const jobs = jobsOf(count);
      await poll(jobs);
      const { status, text } = await poll(jobs.with(5, jobOf(5, { step: 1 })));
      expect(status).toBe(226);
      sizes.push(text.length);
    }
    expect(sizes[1]).toBe(sizes[0]);
  });
});

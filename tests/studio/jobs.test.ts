// The list of the project's jobs, which its faces poll: tags up to the cloud and down to a face, and what has changed.
import { beforeEach, describe, expect, it } from 'vitest';
import { CHANGES_WANTED, type JobSummary } from '../../lib/contract/index.js';
import { createJobListResponses } from '../../lib/studio/handlers/jobs.js';
import { JOB_ID, sampleJob } from '../support/samples.js';
import { openStudio, type TestStudio } from './open-studio.js';

const idOf = (index: number) => `${JOB_ID.slice(0, -4)}${String(index).padStart(4, '0')}`;
const jobOf = (index: number, fields: Partial<JobSummary> = {}): JobSummary =>
  sampleJob({ id: idOf(index), ...fields });
const jobsOf = (count: number) => Array.from({ length: count }, (_, index) => jobOf(index));

describe('GET /api/jobs', () => {
  let test: TestStudio;
  let jobs: JobSummary[];
  /** The tag of the cloud's list, if it has one, and its answers. */
  let tag: string | null;
  let answers: number[];
  beforeEach(async () => {
    jobs = jobsOf(2);
    tag = null;
    answers = [];
    test = await openStudio({
      listJobs({ request }: { request: Request }) {
        const isSame = tag !== null && request.headers.get('if-none-match') === tag;
        answers.push(isSame ? 304 : 200);
        const headers = { etag: tag ?? '' };
        if (isSame) return new Response(null, { status: 304, headers });
        return Response.json({ jobs }, tag === null ? {} : { headers });
      },
    });
    await test.link();
  });

  const poll = (tags: string) => test.call('/api/jobs', { headers: { 'if-none-match': tags } });

  it("lists every job in the cloud's order, without its config, and ignores limits and filters", async () => {
    jobs = Array.from({ length: 3000 }, (_, index) => jobOf((index * 7919) % 3000));
    const listed = jobs.map(job => ({ ...job, config: undefined }));
    for (const path of ['/api/jobs', '/api/jobs?limit=1&status=failed'])
      expect((await test.json('GET', path)).body).toEqual({ jobs: listed });
    const { query } = test.cloud.requests.at(-1)!;
    expect(query).toBe('?orgSlug=anon-0&projectSlug=web');
  });

  it('answers 304 when the client has the newest version', async () => {
    const etag = (await test.call('/api/jobs')).headers.get('etag')!;
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const same = await poll(tags);
      expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag]);
    }
    jobs = jobs.slice(1);
    const changed = await poll(etag);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
    expect(changed.headers.get('cache-control')).toBe('no-cache');
  });

  it("sends the cloud's ETag upstream and passes on its 304", async () => {
    tag = '"1"';
    const etag = (await test.call('/api/jobs')).headers.get('etag')!;
    expect([(await poll(etag)).status, (await poll(etag)).status]).toEqual([304, 304]);
    expect(answers).toEqual([200, 304, 304]);
    tag = '"2"';
    jobs = [];
    expect(await (await poll(etag)).json()).toEqual({ jobs: [] });
    expect(answers).toEqual([200, 304, 304, 200]);
  });
});

describe('a poll of the list', () => {
  function openList() {
    const answer = createJobListResponses();
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

  it('gets the whole list once, and then what has changed', async () => {
    const poll = openList();
    expect(await poll(jobsOf(10))).toMatchObject({ status: 200, body: { jobs: jobsOf(10) } });
    // The same jobs, read again.
    expect((await poll(jobsOf(10))).status).toBe(304);
    const { status, body } = await poll([jobOf(99), ...jobsOf(10).with(3, jobOf(3, { step: 7 }))]);
    expect(status).toBe(226);
    const changed = [{ id: idOf(3), step: 7 }];
    expect(body).toMatchObject({ added: [{ id: idOf(99) }], changed, removed: [] });
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
      await poll(jobsOf(count));
      const { status, text } = await poll(jobsOf(count).with(5, jobOf(5, { step: 1 })));
      expect(status).toBe(226);
      sizes.push(text.length);
    }
    expect(sizes[1]).toBe(sizes[0]);
  });
});

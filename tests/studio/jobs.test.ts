// The project's jobs: the list, which pages poll, and a single job.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { JOB_ID, openStudio, sampleJob, type TestStudio } from './open-studio.js';

let test: TestStudio;
let jobs: object[];
beforeEach(async () => {
  jobs = [sampleJob(), sampleJob({ id: JOB_ID.replace(/1$/, '2'), status: 'queued' })];
  test = await openStudio({
    listJobs: () => ({ jobs }),
    getJob: ({ params }) => {
      if (params.id !== JOB_ID) throw new ApiError('job_not_found', `No job ${params.id}.`);
      return { job: sampleJob() };
    },
  });
});
afterEach(() => test.close());

const known = async () => {
  await test.beKnown();
  await test.writeState();
};

describe('GET /api/jobs', () => {
  it('is empty without a state file, and the cloud is not called', async () => {
    expect((await test.json('GET', '/api/jobs')).body).toEqual({ jobs: [] });
    await test.signIn();
    expect((await test.json('GET', '/api/jobs')).body).toEqual({ jobs: [] });
    expect(test.cloud.calls).toEqual([]);
    expect(await test.readState()).toBeNull();
  });

  it("lists every job in the cloud's order, with id, name, status and createdAt, without its config", async () => {
    await known();
    const { body } = (await test.json('GET', '/api/jobs')) as { body: { jobs: Record<string, unknown>[] } };
    expect(body.jobs.map(({ id }) => id)).toEqual(jobs.map(job => (job as { id: string }).id));
    expect(body.jobs[0]).toMatchObject({ name: 'triage', status: 'running', createdAt: expect.any(String) });
    expect(body.jobs[0]).not.toHaveProperty('config');
    expect(test.cloud.requests.map(({ query }) => query)).toEqual(['?orgSlug=anon-0&projectSlug=web']);
    expect(test.cloud.requests[0]!.headers.get('authorization')).toBe('Bearer known');
  });

  it('returns thousands of jobs, and ignores limits and filters', async () => {
    await known();
    const ids = Array.from({ length: 3000 }, (_, i) => `${JOB_ID.slice(0, -4)}${String(i).padStart(4, '0')}`);
    jobs = ids.map((id, i) => sampleJob({ id, createdAt: new Date((i * 7919) % 3000).toISOString() }));
    for (const path of ['/api/jobs', '/api/jobs?limit=1&status=failed']) {
      const { body } = (await test.json('GET', path)) as { body: { jobs: { id: string }[] } };
      expect(body.jobs.map(({ id }) => id)).toEqual(ids);
    }
    expect(new Set(test.cloud.requests.map(({ query }) => query))).toEqual(
      new Set(['?orgSlug=anon-0&projectSlug=web']),
    );
  });

  it('answers 304 when the client has the newest version', async () => {
    await known();
    const first = await test.call('/api/jobs');
    const etag = first.headers.get('etag')!;
    const again = (tags: string) => test.call('/api/jobs', { headers: { 'if-none-match': tags } });
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const same = await again(tags);
      expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag]);
    }
    jobs = jobs.slice(1);
    const changed = await again(etag);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
    expect(changed.headers.get('cache-control')).toBe('no-cache');
  });

  it("sends the cloud's ETag upstream and passes on its 304", async () => {
    let tag = '"1"';
    const answers: number[] = [];
    await test.close();
    test = await openStudio({
      listJobs: ({ request }: { request: Request }) => {
        const isSame = request.headers.get('if-none-match') === tag;
        answers.push(isSame ? 304 : 200);
        return isSame
          ? new Response(null, { status: 304, headers: { etag: tag } })
          : Response.json({ jobs }, { headers: { etag: tag } });
      },
    });
    await known();
    const etag = (await test.call('/api/jobs')).headers.get('etag')!;
    const again = () => test.call('/api/jobs', { headers: { 'if-none-match': etag } });
    expect((await again()).status).toBe(304);
    expect((await again()).status).toBe(304);
    expect(answers).toEqual([200, 304, 304]);
    tag = '"2"';
    jobs = [];
    expect(await (await again()).json()).toEqual({ jobs: [] });
    expect(answers).toEqual([200, 304, 304, 200]);
  });
});

describe('GET /api/jobs/:id', () => {
  it("returns the cloud's job", async () => {
    await known();
    expect((await test.json('GET', `/api/jobs/${JOB_ID}`)).body).toMatchObject({
      job: { id: JOB_ID, name: 'triage', config: { model: 'svc/tiny' } },
    });
  });

  it('answers 404 for a missing job, and in a folder without a project without calling the cloud', async () => {
    expect(await test.json('GET', `/api/jobs/${JOB_ID}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'job_not_found' } },
    });
    expect(test.cloud.calls).toEqual([]);
    await known();
    expect(await test.json('GET', '/api/jobs/other')).toMatchObject({
      status: 404,
      body: { error: { code: 'job_not_found', message: 'No job other.' } },
    });
  });
});

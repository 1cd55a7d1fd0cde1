// The list of jobs as both clients read it: whole at first, then what has changed.
import { describe, expect, it } from 'vitest';
import { createCloudClient, createStudioClient } from '../../lib/client/index.js';
import type { JobSummary } from '../../lib/contract/index.js';
import { sampleJob } from '../support/samples.js';

const idOf = (index: number) => `0000000${index}-0000-4000-8000-000000000000`;
const jobOf = (index: number, fields: Partial<JobSummary> = {}) => {
  const { config: _, ...job } = sampleJob({ id: idOf(index), ...fields });
  return job;
};

/** Answers in this order, and notes what each request says it has. */
function serve(...answers: [status: number, body: object | null][]) {
  const seen: [tag: string | null, wants: string | null][] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    const headers = new Headers(init?.headers);
    seen.push([headers.get('if-none-match'), headers.get('a-im')]);
    const [status, body] = answers[seen.length - 1]!;
    return new Response(body && JSON.stringify(body), { status, headers: { etag: `"${seen.length}"` } });
  };
  return { seen, fetch };
}

const CLIENTS = {
  cloud: (fetch: typeof globalThis.fetch) => createCloudClient({ baseUrl: 'http://localhost:4100', fetch }),
  studio: (fetch: typeof globalThis.fetch) =>
    createStudioClient({ baseUrl: 'http://localhost:4000', token: 't', fetch }),
};

describe.each(Object.entries(CLIENTS))('the list of the %s client', (_name, open) => {
  it('is patched with what has changed, and jobs that did not change stay the same objects', async () => {
    const changes = { added: [jobOf(3)], changed: [jobOf(1, { step: 5 })], removed: [idOf(0)] };
    const jobs = [jobOf(0), jobOf(1), jobOf(2)];
    const { seen, fetch } = serve([200, { jobs }], [226, changes], [304, null]);
    const client = open(fetch);
    const first = await client.listJobs();
    const second = await client.listJobs();
    expect(second.jobs.map(({ id }) => id)).toEqual([3, 1, 2].map(idOf));
    expect(second.jobs.map(({ step }) => step)).toEqual([null, 5, null]);
    expect(second.jobs[2]).toBe(first.jobs[2]);
    expect(await client.listJobs()).toBe(second);
    expect(seen).toEqual([
      [null, null],
      ['"1"', 'jobs'],
      ['"2"', 'jobs'],
    ]);
  });

  it('is the same object where nothing shows', async () => {
    const changes = { added: [], changed: [jobOf(0)], removed: [] };
    const client = open(serve([200, { jobs: [jobOf(0)] }], [226, changes]).fetch);
    expect(await client.listJobs()).toBe(await client.listJobs());
  });

  it('is read as a whole where the changes belong to another list', async () => {
    const changes = { added: [], changed: [jobOf(9)], removed: [] };
    const { seen, fetch } = serve([200, { jobs: [jobOf(0)] }], [226, changes], [200, { jobs: [jobOf(9)] }]);
    const client = open(fetch);
    await client.listJobs();
    expect((await client.listJobs()).jobs).toEqual([jobOf(9)]);
    expect(seen[2]).toEqual([null, null]);
  });
});

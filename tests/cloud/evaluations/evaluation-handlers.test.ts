import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { evaluationHandlers } from '../../../lib/cloud/evaluations/evaluation-handlers.js';
import {
  type EvaluationInput,
  evaluation as evaluationShape,
  MOST_EVALUATIONS,
} from '../../../lib/contract/index.js';
import { createApp } from '../../../lib/http/index.js';
import { sampleEvaluationInput, sampleEvaluationRows } from '../../support/sample-evaluation.js';
import { access, BASE_MODEL, jobs, openSampleCloud, type SampleCloud } from '../deployments/sample-cloud.js';
import { routesOf } from '../routes-of.js';
import { HOST } from '../to-fetch.js';

let cloud: SampleCloud;
let app: ReturnType<typeof createApp>;
beforeEach(async () => {
  cloud = await openSampleCloud();
  const handlers = evaluationHandlers({ db: cloud.db, access, clock: cloud.clock });
  app = createApp({ log: line => console.error(line) }).mount(routesOf(handlers), handlers);
});
afterEach(() => cloud.close());

async function ask(method: string, path: string, body?: object, place = 'alpha/one', key?: string) {
  const [orgSlug, projectSlug] = place.split('/') as [string, string];
  const url = new URL(`http://${HOST}/v1/evaluations${path}`);
  url.searchParams.set('orgSlug', orgSlug);
  url.searchParams.set('projectSlug', projectSlug);
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(key && { 'idempotency-key': key }),
  };
  const response = await app.fetch(
    new Request(url, { method, headers, ...(body && { body: JSON.stringify(body) }) }),
  );
  // biome-ignore lint/suspicious/noExplicitAny: whatever the route answers, or an error.
  const answer = (await response.json()) as any;
  return { status: response.status, code: answer.error?.code, param: answer.error?.param, ...answer };
}

const target = { kind: 'adapter', adapter: { kind: 'final', jobId: jobs.done } } as const;
const base = { kind: 'base_model', baseModel: BASE_MODEL } as const;
const ofJob = (fields: Partial<EvaluationInput> = {}) =>
  sampleEvaluationInput({ subject: { target, endpoint: null }, ...fields });
const create = async (fields: Partial<EvaluationInput> = {}) =>
  (await ask('POST', '', ofJob(fields))).evaluation;
const listed = async (query = '') =>
  (await ask('GET', query)).evaluations.map(({ id }: { id: string }) => id) as string[];
const rowsOf = async (id: string, query = '') => {
  const { rows, nextCursor } = await ask('GET', `/${id}/rows${query}`);
  return { numbers: rows.map(({ row }: { row: number }) => row), nextCursor };
};

describe('creating an evaluation', () => {
  it('keeps what was sent, and counts its rows and the changed ones', async () => {
    const made = await ask('POST', '', ofJob());
    expect(made.status).toBe(201);
    const { rows, ...sent } = ofJob();
    expect(made.evaluation).toMatchObject({ ...sent, kept: { rows: 3, changed: 2 } });
    expect(evaluationShape.parse(made.evaluation)).toEqual(made.evaluation);
    expect((await ask('GET', `/${made.evaluation.id}`)).evaluation).toEqual(made.evaluation);
    expect((await ask('GET', `/${made.evaluation.id}/rows?changed=true`)).rows).toEqual(
      [7, 4].map(number => rows.find(({ row }) => row === number)),
    );
  });

  it('has no matrix and no comparison without them', async () => {
    const made = await create({ confusion: undefined, comparison: undefined });
    expect(made).toMatchObject({ confusion: null, comparison: null });
  });

  it('creates nothing twice with the same key', async () => {
    const [first, second] = [
      await ask('POST', '', ofJob(), 'alpha/one', 'k'),
      await ask('POST', '', ofJob(), 'alpha/one', 'k'),
    ];
    expect(second.evaluation).toEqual(first.evaluation);
    expect(await listed()).toEqual([first.evaluation.id]);
  });

  it.each([
    ['unknown', '1a2b3c4d-0000-4000-8000-0000000000ff'],
    ["another organization's", jobs.foreign],
  ])('refuses a job that is %s', async (_, jobId) => {
    const subject = {
      target: { kind: 'adapter', adapter: { kind: 'final', jobId } },
      endpoint: null,
    } as const;
    expect(await ask('POST', '', ofJob({ subject }))).toMatchObject({ status: 404, code: 'job_not_found' });
    expect(await listed()).toEqual([]);
  });

  it.each([
    ['no score', { scores: [] }, 'scores'],
    [
      'more rows than are kept',
      { rows: Array.from({ length: 1001 }, () => sampleEvaluationRows()[0]!) },
      'rows',
    ],
    [
      'an answer that is too long',
      { rows: [{ ...sampleEvaluationRows()[0]!, answer: 'x'.repeat(4001) }] },
      'rows',
    ],
    ['rows without a digest', { data: { name: 'a', digest: 'b', rows: 3 } }, 'data'],
  ])('refuses %s', async (_, fields, param) => {
    expect(await ask('POST', '', ofJob(fields))).toMatchObject({
      status: 400,
      code: 'invalid_value',
      param: expect.stringContaining(param),
    });
  });
});

describe('the list', () => {
  it('is newest first, of a project, a job or an endpoint', async () => {
    const ofAdapter = (await create()).id;
    const ofBase = (await create({ subject: { target: base, endpoint: null } })).id;
    const ofEndpoint = (await create({ subject: { target: base, endpoint: 'demo' } })).id;
    expect(await listed()).toEqual([ofEndpoint, ofBase, ofAdapter]);
    expect(await listed(`?jobId=${jobs.done.toUpperCase()}`)).toEqual([ofAdapter]);
    expect(await listed('?endpoint=demo')).toEqual([ofEndpoint]);
    expect((await ask('GET', '', undefined, 'alpha/two')).evaluations).toEqual([]);
  });

  it('keeps the newest ones of each project', async () => {
    const first = (await create()).id;
    const other = await ask('POST', '', ofJob({ subject: { target: base, endpoint: null } }), 'alpha/two');
    const second = (await create()).id;
    for (let made = 2; made <= MOST_EVALUATIONS; made++) await create();
    const all = await listed();
    expect(all).toHaveLength(MOST_EVALUATIONS);
    expect(all).not.toContain(first);
    expect(all).toContain(second);
    expect((await ask('GET', '', undefined, 'alpha/two')).evaluations[0].id).toBe(other.evaluation.id);
    const rows = await cloud.db.selectFrom('evaluation_rows').select('evaluation_id').distinct().execute();
    expect(rows).toHaveLength(MOST_EVALUATIONS + 1);
  });
});

describe('the rows', () => {
  it('come in pages, those that lose most in the comparison first', async () => {
    const { id } = await create({ rows: sampleEvaluationRows().toReversed() });
    expect(await rowsOf(id)).toEqual({ numbers: [7, 1, 4], nextCursor: null });
    const { numbers, nextCursor } = await rowsOf(id, '?limit=2');
    expect(numbers).toEqual([7, 1]);
    expect(await rowsOf(id, `?limit=2&cursor=${nextCursor}`)).toEqual({ numbers: [4], nextCursor: null });
  });

  it('without a comparison have the worst score first, a missing one before all', async () => {
    const [one, two, three] = sampleEvaluationRows().map(({ against, ...row }) => row);
    const rows = [
      { ...one!, row: 1, scores: { distance: 2 } },
      { ...two!, row: 2, scores: { distance: 5 } },
      { ...three!, row: 3, scores: {} },
    ];
    const scores = [{ name: 'distance', kind: 'distance', value: 1, low: 0, high: 2, rows: 2 }] as const;
    const { id } = await create({ rows, scores: [...scores], comparison: undefined });
    expect(await rowsOf(id)).toEqual({ numbers: [3, 2, 1], nextCursor: null });
    expect(await rowsOf(id, '?changed=true')).toEqual({ numbers: [], nextCursor: null });
  });

  it('are as many as are kept', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => ({
      ...sampleEvaluationRows()[0]!,
      row: index + 1,
    }));
    const { id, kept } = await create({ rows });
    expect(kept).toEqual({ rows: 1000, changed: 1000 });
    expect((await rowsOf(id, '?limit=100&cursor=899')).numbers).toHaveLength(100);
  });
});

describe('an evaluation', () => {
  it('is not there for another project', async () => {
    const { id } = await create();
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/rows'],
      ['DELETE', ''],
    ] as const)
      expect(await ask(method, `/${id}${path}`, undefined, 'alpha/two')).toMatchObject({
        status: 404,
        code: 'evaluation_not_found',
      });
    expect(await listed()).toEqual([id]);
  });

  it('is deleted with its rows', async () => {
    const { id } = await create();
    expect((await ask('DELETE', `/${id}`)).evaluation.id).toBe(id);
    expect(await ask('GET', `/${id}`)).toMatchObject({ status: 404, code: 'evaluation_not_found' });
    expect(await cloud.db.selectFrom('evaluation_rows').selectAll().execute()).toEqual([]);
  });

  it('is deleted with the job whose adapter answered, and stays if it was only compared with it', async () => {
    const { comparison } = ofJob();
    await create();
    const { id } = await create({
      subject: { target: base, endpoint: null },
      comparison: { ...comparison!, against: { target, endpoint: null } },
    });
    await cloud.db.deleteFrom('jobs').where('id', '=', jobs.done).execute();
    expect(await listed()).toEqual([id]);
  });
});

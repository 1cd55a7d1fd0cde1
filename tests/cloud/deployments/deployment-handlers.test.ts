import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deployment as deploymentShape } from '../../../lib/contract/index.js';
import { BASE_MODEL, jobs, openSampleCloud, type SampleCloud } from './sample-cloud.js';

let cloud: SampleCloud;
beforeEach(async () => {
  cloud = await openSampleCloud();
});
afterEach(() => cloud.close());

const base = { kind: 'base_model', baseModel: BASE_MODEL };
const final = (jobId: string) => ({ kind: 'adapter', adapter: { kind: 'final', jobId } });
const checkpoint = (jobId: string, step: number) => ({
  kind: 'adapter',
  adapter: { kind: 'checkpoint', jobId, step },
});

async function refusalOf(response: Promise<Response>) {
  const { status, headers } = await response;
  const { error } = (await (await response).json()) as { error: { code: string; param: string | null } };
  return { status, code: error.code, param: error.param, retry: headers.get('x-should-retry') };
}

const slugsIn = async (place?: string) => {
  const answer = (await (await cloud.call('GET', '', undefined, place)).json()) as {
    deployments: { slug: string }[];
  };
  return answer.deployments.map(({ slug }) => slug);
};

describe('creating a deployment', () => {
  it('by default enables it, requires a key and keeps runs for seven days', async () => {
    const made = await cloud.publish({ slug: 'demo', target: final(jobs.done) });
    expect(deploymentShape.parse(made)).toEqual(made);
    expect(made).toMatchObject({
      slug: 'demo',
      orgId: 'org-a',
      projectId: 'project-a1',
      target: final(jobs.done),
      authMode: 'fixed_api_key',
      enabled: true,
      runRetentionMode: 'days',
      runRetentionDays: 7,
      url: 'http://demo.localhost:4100',
      pathUrl: 'http://localhost:4100/d/demo',
      createdAt: new Date(cloud.clock.now()).toISOString(),
      updatedAt: new Date(cloud.clock.now()).toISOString(),
    });
    expect(await (await cloud.call('GET', `/${made.id}`)).json()).toEqual({ deployment: made });
  });

  it('accepts a checkpoint, the base model, another auth mode and another retention', async () => {
    const made = await cloud.publish({
      slug: 'open',
      target: checkpoint(jobs.running, 10),
      authMode: 'none',
      runRetentionMode: 'unlimited',
    });
    expect(made).toMatchObject({
      authMode: 'none',
      target: checkpoint(jobs.running, 10),
      runRetentionMode: 'unlimited',
      runRetentionDays: null,
    });
    expect((await cloud.publish({ slug: 'base', target: base })).target).toEqual(base);
  });

  it.each([
    ['a job that does not exist', final('1a2b3c4d-0000-4000-8000-0000000000ff'), 'target_not_found'],
    ["another organization's job", final(jobs.foreign), 'target_not_found'],
    ['the final adapter of a running job', final(jobs.running), 'target_not_found'],
    ['a checkpoint that was not saved', checkpoint(jobs.done, 11), 'target_not_found'],
    ['another base model', { kind: 'base_model', baseModel: 'big' }, 'model_not_supported'],
  ])('refuses %s', async (_, target, code) => {
    expect(await refusalOf(cloud.call('POST', '', { slug: 'demo', target }))).toMatchObject({
      status: 400,
      code,
    });
    expect(await slugsIn()).toEqual([]);
    expect((await cloud.publish({ slug: 'demo', target: base }, 'beta/one')).slug).toBe('demo');
  });

  it.each(['www', 'api', 'admin', 'cloud', 'svc', 'v1', 'ns2', 'webmail'])(
    'refuses the reserved slug %s',
    async slug => {
      expect(await refusalOf(cloud.call('POST', '', { slug, target: base }))).toMatchObject({
        status: 400,
        code: 'slug_reserved',
        param: 'slug',
      });
    },
  );

  it('refuses retention days with a mode that has none', async () => {
    const body = { slug: 'demo', target: base, runRetentionMode: 'disabled', runRetentionDays: 3 };
    expect(await refusalOf(cloud.call('POST', '', body))).toMatchObject({ param: 'runRetentionDays' });
  });
});

describe('what a deployment offers', () => {
  const create = (body: object) => cloud.publish({ slug: 'demo', target: base, ...body });
  const update = async (id: string, body: object) => {
    const response = await cloud.call('PATCH', `/${id}`, body);
    return ((await response.json()) as { deployment: object }).deployment;
  };

  it('is chat for no web page, unless its owner says otherwise', async () => {
    const made = await create({});
    expect(made).toMatchObject({ operations: ['chat'], corsOrigins: [] });
    const offer = { operations: ['models', 'responses', 'models'], corsOrigins: ['https://A.example:443'] };
    const changed = { operations: ['chat', 'responses', 'models'], corsOrigins: ['https://a.example'] };
    expect(await update(made.id, offer)).toEqual({ ...made, ...changed });
    expect(await update(made.id, { enabled: true })).toMatchObject(changed);
    expect(await update(made.id, { corsOrigins: [] })).toMatchObject({ ...changed, corsOrigins: [] });
    expect(await update(made.id, { operations: [] })).toEqual(made);
  });

  it('can be said when it is created', async () => {
    expect(
      await create({
        operations: ['messages'],
        corsOrigins: ['http://localhost:5173', 'http://localhost:5173'],
      }),
    ).toMatchObject({ operations: ['chat', 'messages'], corsOrigins: ['http://localhost:5173'] });
  });

  it.each([
    [{ operations: ['chat', 'images'] }, 'operations[1]'],
    [{ operations: 'chat' }, 'operations'],
    [{ operations: [7] }, 'operations[0]'],
    [{ operations: Array(51).fill('chat') }, 'operations'],
    [{ corsOrigins: ['*'] }, 'corsOrigins[0]'],
    [{ corsOrigins: 'https://app.example.com' }, 'corsOrigins'],
    [{ corsOrigins: [null] }, 'corsOrigins[0]'],
    [{ corsOrigins: null }, 'corsOrigins'],
  ])('cannot be %j', async (body, param) => {
    const { id } = await create({});
    for (const call of [
      cloud.call('POST', '', { slug: 'other', target: base, ...body }),
      cloud.call('PATCH', `/${id}`, body),
    ])
      expect(await refusalOf(call)).toMatchObject({ status: 400, code: 'invalid_value', param });
    expect(await slugsIn()).toEqual(['demo']);
  });
});

describe('a slug', () => {
  const taken = { status: 409, code: 'slug_taken', param: 'slug', retry: 'false' };
  const publishAgain = (place?: string) =>
    refusalOf(cloud.call('POST', '', { slug: 'demo', target: base }, place));

  it('is taken for every project, even while its deployment is disabled', async () => {
    const { id } = await cloud.publish({ slug: 'demo', target: base });
    for (const place of ['alpha/one', 'alpha/two', 'beta/one'])
      expect(await publishAgain(place)).toEqual(taken);
    await cloud.call('PATCH', `/${id}`, { enabled: false });
    for (const place of ['alpha/one', 'beta/one']) expect(await publishAgain(place)).toEqual(taken);
  });

  it('stays reserved for its organization after the deployment is deleted', async () => {
    const { id } = await cloud.publish({ slug: 'demo', target: base });
    expect((await cloud.call('DELETE', `/${id}`)).status).toBe(200);
    expect(await publishAgain('beta/one')).toEqual(taken);
    expect((await cloud.publish({ slug: 'demo', target: base }, 'alpha/two')).id).not.toBe(id);
  });

  it('goes to one of two organizations that request it at once', async () => {
    const both = await Promise.all(
      ['alpha/one', 'beta/one'].map(place => cloud.call('POST', '', { slug: 'demo', target: base }, place)),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect([...(await slugsIn()), ...(await slugsIn('beta/one'))]).toEqual(['demo']);
  });

  it('goes to one of two requests of the same project at once', async () => {
    const both = await Promise.all([1, 2].map(() => cloud.call('POST', '', { slug: 'demo', target: base })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe('the list', () => {
  it("has the project's deployments, newest first", async () => {
    for (const slug of ['first', 'second', 'third']) await cloud.publish({ slug, target: base });
    await cloud.publish({ slug: 'elsewhere', target: base }, 'alpha/two');
    expect(await slugsIn()).toEqual(['third', 'second', 'first']);
    expect(await slugsIn('beta/one')).toEqual([]);
  });
});

describe('updating a deployment', () => {
  it('changes only the given fields and updatedAt, and no other deployment', async () => {
    const made = await cloud.publish({ slug: 'demo', target: final(jobs.done), runRetentionDays: 3 });
    const other = await cloud.publish({ slug: 'other', target: base });
    await cloud.clock.pass(24 * 60 * 60 * 1000);
    const updatedAt = new Date(cloud.clock.now()).toISOString();
    let expected = { ...made, updatedAt };
    for (const change of [
      { enabled: false },
      { authMode: 'none' as const },
      { target: { kind: 'base_model' as const, baseModel: BASE_MODEL } },
      { runRetentionDays: 5 },
      { runRetentionMode: 'unlimited' as const },
      { enabled: true, authMode: 'fixed_api_key' as const },
    ]) {
      const response = await cloud.call('PATCH', `/${made.id}`, change);
      expected = { ...expected, ...change };
      if ('runRetentionMode' in change) expected.runRetentionDays = null;
      if ('target' in change) expected.earlierTargets = [{ target: made.target, since: made.createdAt }];
      expect(await response.json()).toEqual({ deployment: expected });
    }
    for (const shown of [expected, other])
      expect(await (await cloud.call('GET', `/${shown.id}`)).json()).toEqual({ deployment: shown });
  });

  it('changes nothing when no field is given', async () => {
    const made = await cloud.publish({ slug: 'demo', target: base });
    await cloud.clock.pass(24 * 60 * 60 * 1000);
    expect(await (await cloud.call('PATCH', `/${made.id}`, {})).json()).toEqual({ deployment: made });
  });

  it.each([
    [{ target: final(jobs.foreign) }, 'target_not_found'],
    [{ target: { kind: 'base_model', baseModel: 'big' } }, 'model_not_supported'],
    [{ runRetentionMode: 'unlimited', runRetentionDays: 1 }, 'invalid_value'],
    [{ enabled: 'false' }, 'invalid_value'],
    [{ authMode: null }, 'invalid_value'],
    [{ slug: 'other' }, 'unknown_field'],
  ])('refuses %j, and changes nothing', async (change, code) => {
    const made = await cloud.publish({ slug: 'demo', target: base });
    expect(await refusalOf(cloud.call('PATCH', `/${made.id}`, { enabled: false, ...change }))).toMatchObject({
      status: 400,
      code,
    });
    expect(await (await cloud.call('GET', `/${made.id}`)).json()).toEqual({ deployment: made });
  });
});

describe('deleting a deployment', () => {
  it('returns the deleted deployment and removes its keys', async () => {
    const made = await cloud.publish({ slug: 'demo', target: base });
    await cloud.issue(made);
    expect(await (await cloud.call('DELETE', `/${made.id}`)).json()).toEqual({ deployment: made });
    expect(await slugsIn()).toEqual([]);
    expect(await cloud.db.selectFrom('keys').selectAll().execute()).toEqual([]);
    expect(await refusalOf(cloud.call('DELETE', `/${made.id}`))).toMatchObject({ status: 404 });
  });
});

describe('a deployment of another project', () => {
  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/keys'],
    ['POST', '/keys'],
    ['DELETE', '/keys/k1'],
  ])('answers 404: %s /:id%s', async (method, rest) => {
    const { id } = await cloud.publish({ slug: 'demo', target: base });
    const body = { PATCH: { enabled: false }, POST: { label: 'x' } }[method];
    for (const place of ['alpha/two', 'beta/one']) {
      expect(await refusalOf(cloud.call(method, `/${id}${rest}`, body, place))).toMatchObject({
        status: 404,
        code: 'deployment_not_found',
      });
    }
    expect(await slugsIn()).toEqual(['demo']);
  });
});

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
const checkpoint = (jobId: string, step: number) => {
  return { kind: 'adapter', adapter: { kind: 'checkpoint', jobId, step } };
};

const create = (body: object, place?: string) =>
  cloud.ask('POST', '', { slug: 'demo', target: base, ...body }, place);
const publish = (body: object = {}, place?: string) =>
  cloud.publish({ slug: 'demo', target: base, ...body }, place);
const update = (id: string, body: object) => cloud.ask('PATCH', `/${id}`, body);
const shown = async (id: string) => (await cloud.ask('GET', `/${id}`)).deployment;
const slugsIn = async (place?: string) =>
  (await cloud.ask('GET', '', undefined, place)).deployments.map(({ slug }) => slug);
const now = () => new Date(cloud.clock.now()).toISOString();

describe('creating a deployment', () => {
  it('by default enables it, requires a key, offers chat to no web page and keeps runs for seven days', async () => {
    const target = final(jobs.done);
    const made = await publish({ target });
    expect(deploymentShape.parse(made)).toEqual(made);
    expect(made).toMatchObject({
      ...{ slug: 'demo', orgId: 'org-a', projectId: 'project-a1', target, enabled: true },
      ...{ authMode: 'fixed_api_key', runRetentionMode: 'days', runRetentionDays: 7 },
      ...{ operations: ['chat'], corsOrigins: [], createdAt: now(), updatedAt: now() },
      ...{ url: 'http://demo.localhost:4100', pathUrl: 'http://localhost:4100/d/demo' },
    });
    expect(await shown(made.id)).toEqual(made);
  });

  it('accepts a checkpoint, the base model, another auth mode and another retention', async () => {
    const given = { target: checkpoint(jobs.running, 10), authMode: 'none', runRetentionMode: 'unlimited' };
    expect(await publish({ slug: 'open', ...given })).toMatchObject({ ...given, runRetentionDays: null });
    expect((await publish({ slug: 'base' })).target).toEqual(base);
    const shouted = final(jobs.done.toUpperCase());
    expect((await publish({ slug: 'loud', target: shouted })).target).toEqual(final(jobs.done));
  });

  it('shows the task of its target, also once it has another', async () => {
    const task = { name: 'triage', kind: 'text', input: { type: 'string' }, output: { type: 'string' } };
    await cloud.db
      .updateTable('jobs')
      .set({ task: JSON.stringify(task) })
      .where('id', '=', jobs.done)
      .execute();
    const { id, task: first } = await publish({ target: final(jobs.done) });
    expect([first, (await shown(id)).task]).toEqual([task, task]);
    expect((await update(id, { target: checkpoint(jobs.running, 10) })).deployment.task).toBeNull();
    expect((await update(id, { target: checkpoint(jobs.done, 10) })).deployment.task).toEqual(task);
    expect((await update(id, { target: base })).deployment.task).toBeNull();
  });

  it.each([
    ['a job that does not exist', final('1a2b3c4d-0000-4000-8000-0000000000ff'), 'target_not_found'],
    ["another organization's job", final(jobs.foreign), 'target_not_found'],
    ['the final adapter of a running job', final(jobs.running), 'target_not_found'],
    ['a checkpoint that was not saved', checkpoint(jobs.done, 11), 'target_not_found'],
    ['another base model', { kind: 'base_model', baseModel: 'big' }, 'model_not_supported'],
  ])('refuses %s, whose slug stays free', async (_, target, code) => {
    expect(await create({ target })).toMatchObject({ status: 400, code });
    expect(await slugsIn()).toEqual([]);
    expect((await publish({}, 'beta/one')).slug).toBe('demo');
  });

  it('refuses reserved slugs', async () => {
    const reserved = { status: 400, code: 'slug_reserved', param: 'slug' };
    for (const slug of ['www', 'api', 'admin', 'cloud', 'svc', 'v1', 'ns2', 'xn--a', 'xn--bcher-kva'])
      expect(await create({ slug }), slug).toMatchObject(reserved);
  });

  it('can be tried, which leaves nothing behind', async () => {
    const target = final(jobs.done);
    const tried = await publish({ target, dryRun: true });
    expect(tried).toMatchObject({ slug: 'demo', target, authMode: 'fixed_api_key' });
    expect(await slugsIn()).toEqual([]);
    expect(await create({ slug: 'www', dryRun: true })).toMatchObject({ code: 'slug_reserved' });
    expect(await create({ target: final(jobs.running), dryRun: true })).toMatchObject({ status: 400 });
    expect((await publish({}, 'beta/one')).slug).toBe('demo');
    expect(await create({ target, dryRun: true })).toMatchObject({ code: 'slug_taken', param: 'slug' });
  });

  it('refuses retention days with a mode that has none', async () => {
    const body = { runRetentionMode: 'disabled', runRetentionDays: 3 };
    expect(await create(body)).toMatchObject({ status: 400, param: 'runRetentionDays' });
  });
});

describe('what a deployment offers', () => {
  it('is in order, without repetition, and stays until its owner says otherwise', async () => {
    const made = await publish();
    const offer = { operations: ['models', 'responses', 'models'], corsOrigins: ['https://A.example:443'] };
    const changed = { operations: ['chat', 'responses', 'models'], corsOrigins: ['https://a.example'] };
    expect((await update(made.id, offer)).deployment).toEqual({ ...made, ...changed });
    expect((await update(made.id, { enabled: true })).deployment).toMatchObject(changed);
    const closed = { ...changed, corsOrigins: [] };
    expect((await update(made.id, { corsOrigins: [] })).deployment).toMatchObject(closed);
    expect((await update(made.id, { operations: [] })).deployment).toEqual(made);
  });

  it('can be said when it is created', async () => {
    const page = 'http://localhost:5173';
    const made = await publish({ operations: ['messages'], corsOrigins: [page, page] });
    expect(made).toMatchObject({ operations: ['chat', 'messages'], corsOrigins: [page] });
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
    const { id } = await publish();
    for (const refused of [await create({ slug: 'other', ...body }), await update(id, body)])
      expect(refused).toMatchObject({ status: 400, code: 'invalid_value', param });
    expect(await slugsIn()).toEqual(['demo']);
  });
});

describe('a slug', () => {
  const taken = { status: 409, code: 'slug_taken', param: 'slug', retry: 'false' };

  it('is taken for every project, even while its deployment is disabled', async () => {
    const { id } = await publish();
    for (const place of ['alpha/one', 'alpha/two', 'beta/one'])
      expect(await create({}, place)).toMatchObject(taken);
    await update(id, { enabled: false });
    for (const place of ['alpha/one', 'beta/one']) expect(await create({}, place)).toMatchObject(taken);
  });

  it('stays reserved for its organization after the deployment is deleted', async () => {
    const { id } = await publish();
    expect((await cloud.call('DELETE', `/${id}`)).status).toBe(200);
    expect(await create({}, 'beta/one')).toMatchObject(taken);
    expect((await publish({}, 'alpha/two')).id).not.toBe(id);
  });

  it.each(['beta/one', 'alpha/one'])('goes to one of two at once: alpha/one and %s', async other => {
    const both = await Promise.all([create({}, 'alpha/one'), create({}, other)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect([...(await slugsIn()), ...(other === 'alpha/one' ? [] : await slugsIn(other))]).toEqual(['demo']);
  });
});

it("the list has the project's deployments, newest first", async () => {
  for (const slug of ['first', 'second', 'third']) await publish({ slug });
  await publish({ slug: 'elsewhere' }, 'alpha/two');
  expect(await slugsIn()).toEqual(['third', 'second', 'first']);
  expect(await slugsIn('beta/one')).toEqual([]);
});

describe('updating a deployment', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;

  it('changes only the given fields and updatedAt, and no other deployment', async () => {
    await cloud.clock.pass(DAY_MS);
    const made = await publish({ target: final(jobs.done), runRetentionDays: 3 });
    const other = await publish({ slug: 'other' });
    await cloud.clock.pass(DAY_MS);
    let expected: object = { ...made, updatedAt: now() };
    const earlierTargets = [{ target: made.target, since: made.createdAt }];
    for (const [change, more] of [
      [{ enabled: false }],
      [{ authMode: 'none' }],
      [{ target: base }, { earlierTargets }],
      [{ runRetentionDays: 5 }],
      [{ runRetentionMode: 'unlimited' }, { runRetentionDays: null }],
      [{ enabled: true, authMode: 'fixed_api_key' }],
    ] as [object, object?][]) {
      expected = { ...expected, ...change, ...more };
      expect((await update(made.id, change)).deployment).toEqual(expected);
    }
    expect([await shown(made.id), await shown(other.id)]).toEqual([expected, other]);
  });

  it('changes nothing when no field is given', async () => {
    await cloud.clock.pass(DAY_MS);
    const made = await publish();
    await cloud.clock.pass(DAY_MS);
    expect((await update(made.id, {})).deployment).toEqual(made);
  });

  it.each([
    [{ target: final(jobs.foreign) }, 'target_not_found'],
    [{ target: { kind: 'base_model', baseModel: 'big' } }, 'model_not_supported'],
    [{ runRetentionMode: 'unlimited', runRetentionDays: 1 }, 'invalid_value'],
    [{ slug: 'other' }, 'unknown_field'],
  ])('refuses %j, and changes nothing', async (change, code) => {
    const made = await publish();
    expect(await update(made.id, { enabled: false, ...change })).toMatchObject({ status: 400, code });
    expect(await shown(made.id)).toEqual(made);
  });
});

describe('a canary', () => {
  const canary = { target: checkpoint(jobs.done, 10), share: 0.1 };

  it('keeps its time when its share changes, and starts anew with another target', async () => {
    const made = await publish({ target: final(jobs.done) });
    expect(made).toMatchObject({ canary: null, lastHour: { canary: null } });
    await cloud.clock.pass(1000);
    const since = now();
    const { deployment } = await update(made.id, { canary });
    expect(deployment).toMatchObject({
      target: made.target,
      canary: { ...canary, since, problem: null },
      lastHour: { canary: { requests: 0 } },
    });
    await cloud.clock.pass(1000);
    const more = { ...canary, share: 0.5 };
    expect((await update(made.id, { canary: more })).deployment.canary).toMatchObject({ ...more, since });
    const other = { target: base, share: 0.5 };
    expect((await update(made.id, { canary: other })).deployment.canary).toMatchObject({
      ...other,
      since: now(),
    });
    expect((await update(made.id, { enabled: false })).deployment.canary).toMatchObject(other);
    expect((await update(made.id, { canary: null })).deployment.canary).toBeNull();
  });

  it('becomes the target when it is promoted, and the target before comes back with a rollback', async () => {
    const made = await publish({ target: final(jobs.done) });
    await update(made.id, { canary });
    await cloud.clock.pass(1000);
    const { deployment } = await update(made.id, { promote: canary.target });
    const earlierTargets = [{ target: made.target, since: made.createdAt }];
    expect(deployment).toMatchObject({ target: canary.target, canary: null, follows: null, earlierTargets });
  });

  it('ends when its target is served anyway, and stays beside another one', async () => {
    const made = await publish({ target: final(jobs.done) });
    await update(made.id, { canary });
    expect((await update(made.id, { target: base })).deployment).toMatchObject({ target: base, canary });
    const { deployment } = await update(made.id, { target: canary.target });
    expect(deployment).toMatchObject({ target: canary.target, canary: null });
  });

  it.each([
    [{ canary: { target: final(jobs.foreign), share: 0.1 } }, 400, 'target_not_found'],
    [
      { canary: { target: { kind: 'base_model', baseModel: 'big' }, share: 0.1 } },
      400,
      'model_not_supported',
    ],
    [{ canary: { target: final(jobs.done), share: 0.1 } }, 400, 'invalid_value'],
    [{ canary: { target: base, share: 0 } }, 400, 'invalid_value'],
    [{ canary: { target: base, share: 1 } }, 400, 'invalid_value'],
    [{ promote: base }, 409, 'canary_changed'],
    [{ promote: canary.target, canary: null }, 400, 'invalid_value'],
    [{ promote: canary.target, target: base }, 400, 'invalid_value'],
  ])('refuses %j, and changes nothing', async (change, status, code) => {
    const made = await publish({ target: final(jobs.done) });
    const { deployment: before } = await update(made.id, { canary });
    expect(await update(made.id, { enabled: false, ...change })).toMatchObject({ status, code });
    expect(await shown(made.id)).toEqual(before);
  });

  it('is not promoted when there is none', async () => {
    const { id } = await publish({ target: final(jobs.done) });
    expect(await update(id, { promote: base })).toMatchObject({ status: 409, code: 'canary_changed' });
  });
});

it('a change that replaces something is made only while that is served', async () => {
  const [stable, next] = [final(jobs.done), base];
  const { id } = await publish({ target: stable });
  expect(await update(id, { target: next, replaces: next })).toMatchObject({
    status: 409,
    code: 'target_changed',
  });
  expect((await shown(id)).target).toEqual(stable);
  expect((await update(id, { target: next, replaces: stable })).deployment.target).toEqual(next);
});

it('deleting a deployment returns it and removes its keys', async () => {
  const made = await publish();
  await cloud.issue(made);
  expect((await cloud.ask('DELETE', `/${made.id}`)).deployment).toEqual(made);
  expect(await slugsIn()).toEqual([]);
  expect(await cloud.db.selectFrom('keys').selectAll().execute()).toEqual([]);
  expect((await cloud.call('DELETE', `/${made.id}`)).status).toBe(404);
});

it.each([
  ['GET', ''],
  ['PATCH', '', { enabled: false }],
  ['DELETE', ''],
  ['GET', '/keys'],
  ['POST', '/keys', { label: 'x' }],
  ['DELETE', '/keys/k1'],
])('a deployment of another project answers 404: %s /:id%s', async (method, rest, body?) => {
  const { id } = await publish();
  for (const place of ['alpha/two', 'beta/one']) {
    const answer = await cloud.ask(method, `/${id}${rest}`, body, place);
    expect(answer).toMatchObject({ status: 404, code: 'deployment_not_found' });
  }
  expect(await slugsIn()).toEqual(['demo']);
});

// Projects, and the rule that those of other organizations answer 404.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccess } from '../../../lib/cloud/auth/authorize.js';
import { createAnonymousIdentity } from '../../../lib/cloud/auth/identities.js';
import { openDb } from '../../../lib/cloud/store/db.js';
import type { Project } from '../../../lib/contract/index.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { answerOf, type MemoryCloud, openMemoryCloud, refusalOf } from '../host/memory-cloud.js';

/** It stands still until a test lets time pass. */
const clock = createVirtualClock(Date.now());
let memory: MemoryCloud;
beforeAll(async () => {
  memory = await openMemoryCloud({ clock });
});
afterAll(() => memory.close());

async function open() {
  const { token, personalOrg } = await memory.signUp();
  const headers = { authorization: `Bearer ${token}` };
  return {
    token,
    org: personalOrg,
    list: (query = `orgSlug=${personalOrg.slug}`) => memory.call(`/v1/projects?${query}`, { headers }),
    create: (json: unknown, orgSlug = personalOrg.slug) =>
      memory.call(`/v1/projects?orgSlug=${orgSlug}`, { method: 'POST', headers, json }),
  };
}

describe('projects', () => {
  it('are created in an organization and listed in order', async () => {
    const { org, list, create } = await open();
    expect(await (await list()).json()).toEqual({ projects: [] });
    const response = await create({ name: '  My triage ', slug: 'triage-1a2b' });
    expect(response.status).toBe(201);
    const { project } = await answerOf<{ project: Project }>(response);
    expect(project).toEqual({
      ...{
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        orgId: org.id,
        slug: 'triage-1a2b',
        name: 'My triage',
      },
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    // In the same millisecond.
    await create({ name: 'Another', slug: 'another' });
    const { projects } = await answerOf<{ projects: Project[] }>(
      list(`orgSlug=${org.slug}&projectSlug=ignored`),
    );
    expect(projects).toEqual([project, expect.objectContaining({ slug: 'another' })]);
  });

  it('have a slug that is unique within the organization', async () => {
    const [one, other] = [await open(), await open()];
    expect((await one.create({ name: 'a', slug: 'same' })).status).toBe(201);
    const taken = { status: 409, code: 'project_exists', param: 'slug' };
    expect(await refusalOf(await one.create({ name: 'b', slug: 'same' }))).toMatchObject(taken);
    expect((await other.create({ name: 'c', slug: 'same' })).status).toBe(201);
    expect((await answerOf<{ projects: Project[] }>(one.list())).projects).toHaveLength(1);
  });

  it('are created once when several requests race', async () => {
    const { create } = await open();
    const responses = await Promise.all(Array.from({ length: 8 }, () => create({ name: 'a', slug: 'race' })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  it('of another organization answer the same 404 as an organization that does not exist', async () => {
    const [mine, theirs] = [await open(), await open()];
    const nowhere = await refusalOf(await mine.list('orgSlug=no-such-org'));
    expect(nowhere).toMatchObject({ status: 404, code: 'project_not_found', param: 'orgSlug' });
    const foreign = await refusalOf(await mine.list(`orgSlug=${theirs.org.slug}`));
    expect({ ...foreign, message: '' }).toEqual({ ...nowhere, message: '' });
  });

  it.each([
    [{ name: 'a', slug: 'A b' }, 'slug_invalid', 'slug'],
    [{ name: ' ', slug: 'ok' }, 'invalid_value', 'name'],
    [{ name: 'a', slug: 'ok', orgId: 'x' }, 'unknown_field', 'orgId'],
  ])('are not created from %o', async (json, code, param) => {
    expect(await refusalOf(await (await open()).create(json))).toMatchObject({ status: 400, code, param });
  });
});

describe('authorizing access to a project', () => {
  it('returns the caller and the project, and answers 404 for projects of others', async () => {
    const db = await openDb(':memory:');
    const join = () =>
      db.transaction().execute(transaction => createAnonymousIdentity(transaction, new Date()));
    const [one, other] = [await join(), await join()];
    const project = { created_at: '', name: '' };
    await db
      .insertInto('projects')
      .values([
        { ...project, id: 'p1', org_id: one.personalOrg.id, slug: 'triage' },
        { ...project, id: 'p2', org_id: other.personalOrg.id, slug: 'theirs' },
      ])
      .execute();
    const access = createAccess({ db, local: true });
    const enter = ({ token }: typeof one, orgSlug: string, projectSlug: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return access.authorize(new Request('http://x', { headers }), { orgSlug, projectSlug });
    };
    const caller = { identityId: one.anonymousId, mode: 'anonymous', subject: one.anonymousId };
    const allowed = { caller, orgId: one.personalOrg.id, projectId: 'p1' };
    expect(await enter(one, one.personalOrg.slug, 'triage')).toEqual(allowed);
    const refusal = { status: 404, code: 'project_not_found' };
    await expect(enter(other, one.personalOrg.slug, 'triage')).rejects.toMatchObject(refusal);
    await expect(enter(one, other.personalOrg.slug, 'triage')).rejects.toMatchObject(refusal);
    for (const slug of ['other', 'theirs', 'Triage', '%'])
      await expect(enter(one, one.personalOrg.slug, slug), slug).rejects.toMatchObject(refusal);
    await db.destroy();
  });
});

// svc link writes the state file for signed-in users.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type World } from './world.js';

let world: World;
let org: string;
beforeEach(async () => {
  world = await openWorld();
  await world.login();
  org = (await world.signed()).orgSlug!;
  world.calls.length = 0;
});
afterEach(() => world.close());

describe('svc link', () => {
  it('writes the state file and creates a missing project', async () => {
    expect(await world.svc('link', `${org}/web`)).toEqual({
      exitCode: 0,
      stdout: `Created the project. Linked this folder to ${org}/web: .svc/state.json\n`,
      stderr: '',
    });
    const { signed, memory } = world;
    const { projects } = await memory.client((await signed()).accessToken).listProjects(org);
    expect(await world.readState()).toEqual({ orgSlug: org, projectSlug: 'web', projectId: projects[0]!.id });
    expect((await world.svc('jobs', 'list')).exitCode).toBe(0);
  });

  it('links an existing project', async () => {
    const client = world.memory.client((await world.signed()).accessToken);
    const { project } = await client.createProject(org, { name: 'Web', slug: 'web' });
    const { stdout } = await world.svc('link', `${org}/web`, '--json');
    const state = { orgSlug: org, projectSlug: 'web', projectId: project.id };
    expect(JSON.parse(stdout)).toEqual({ state, created: false });
    expect(world.calls).not.toContain('POST /v1/projects');
  });

  it('does nothing and makes no cloud call when the folder is already linked to the project', async () => {
    await world.svc('link', `${org}/web`);
    world.calls.length = 0;
    expect((await world.svc('link', `${org}/web`)).exitCode).toBe(0);
    expect(world.calls).toEqual([]);
  });

  it('does not replace a state file of another project', async () => {
    await world.svc('link', `${org}/web`);
    const path = join(world.cwd, '.svc', 'state.json');
    const before = await readFile(path, 'utf8');
    expect(await world.svc('link', `${org}/other`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`Already linked to ${org}/web. Remove `),
    });
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('refuses an organization the user is not a member of, and writes nothing', async () => {
    expect(await world.svc('link', 'acme/web')).toMatchObject({
      exitCode: 1,
      stderr: `svc: You are not a member of organization acme (yours: ${org}).\n`,
    });
    expect(await readdir(world.cwd)).toEqual([]);
  });

  it('rejects an invalid name', async () => {
    for (const typed of ['web', '/web', `${org}/`, `${org}/web/x`])
      expect(await world.svc('link', typed)).toMatchObject({ exitCode: 2, stdout: '' });
    expect(world.calls).toEqual([]);
    expect(await world.svc('link', `${org}/Web!`)).toMatchObject({ exitCode: 1 });
    expect(await world.readState()).toBeNull();
  });

  it('requires signing in', async () => {
    await world.svc('logout');
    expect(await world.svc('link', `${org}/web`)).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('svc login'),
    });
  });
});

// svc build: what it refuses, svc start would refuse, too, and what was built before stays.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRemoteProject, type RemoteProject } from '../support/remote-project.js';
import { until } from '../support/until.js';
import { callCli, startCli } from './support/terminal.js';

const SDK = JSON.stringify(new URL('../../lib/sdk/service.ts', import.meta.url).pathname);
const HEAD = `
  import { createService } from ${SDK};
  const trainerOf = name => ({ name, options: { name, dataset: { type: 'rows', rows: [{ text: 'a' }] } }, start() {} });
  const [a, b] = [trainerOf('a'), trainerOf('b')];
`;
const GOOD = `${HEAD}export const service = createService({ trainer: a });`;

let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
});
afterEach(() => project.close());

const svc = (...argv: string[]) =>
  callCli(argv, { cwd: project.cwd, env: { ...project.env, NO_COLOR: '1' } });
const write = (entry: string) => project.write('src/svc/index.ts', entry);
const built = () => readFile(join(project.cwd, '.svc/build/index.mjs'), 'utf8');

describe('svc build', () => {
  it.each([
    [
      'an array of trainers',
      'export const service = createService({ trainer: [a, b] });',
      'must be a single trainer',
    ],
    ['an array of services', 'export const service = [createService({ trainer: a })];', 'exports no service'],
    [
      'a second trainer',
      'export const service = createService({ trainer: a, trainer2: b });',
      'unknown option `trainer2`',
    ],
    [
      'a second argument',
      'export const service = createService({ trainer: a }, { trainer: b });',
      'takes one argument',
    ],
    [
      'two services',
      'export const service = createService({ trainer: a }); export default createService({ trainer: b });',
      'The entry exports 2 services: default, service.',
    ],
    [
      'a second service by any name',
      'export const service = createService({ trainer: a }); export const other = createService({ trainer: b });',
      'exports 2 services',
    ],
    ['no export', 'createService({ trainer: a });', 'exports no service'],
    ['no trainer', 'export const service = createService();', 'No trainer is registered.'],
    ['a throw', 'throw new Error("not today");', 'The entry threw: not today'],
    ['an end', 'process.exit(3);', 'exited while loading (code 3)'],
  ])('refuses %s, as svc start does, and keeps the last good build', async (_, exporting, message) => {
    await write(GOOD);
    expect(await svc('build')).toMatchObject({ exitCode: 0, stderr: '' });
    const before = await built();
    await write(HEAD + exporting);
    const refused = await svc('build');
    expect(refused).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining(message) });
    expect(await built()).toBe(before);
    expect(await readdir(join(project.cwd, '.svc/build'))).toEqual(['index.mjs']);
    if (exporting.includes('exit')) return;
    expect(await svc('start', 'src/svc/index.ts')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(message),
    });
    expect(await built()).toBe(before);
  });

  it('takes one service under both names', async () => {
    await write(`${HEAD}export const service = createService({ trainer: a }); export default service;`);
    expect(await svc('build')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('ends what it looks into when it is interrupted, and keeps the last good build', async () => {
    await write(GOOD);
    await svc('build');
    const before = await built();
    await write(`import { writeFileSync } from 'node:fs'; writeFileSync('up', ''); for (;;) {}\n${GOOD}`);
    const call = startCli(['build'], { cwd: project.cwd, env: project.env });
    await until(() => readdir(project.cwd)).toContain('up');
    call.signal('SIGINT');
    expect((await call.done).exitCode).toBe(130);
    expect(await built()).toBe(before);
  });
});

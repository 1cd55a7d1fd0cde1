// svc build: what it refuses, svc start would refuse, too, and what was built before stays.
import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { until } from '../support/until.js';
import { entryOf, failure, projectOfEach } from './support/project.js';

const SDK = JSON.stringify(new URL('../../lib/sdk/service.ts', import.meta.url).pathname);
const HEAD = `
  import { createService } from ${SDK};
  const trainerOf = name => ({ name, options: { name, dataset: { type: 'rows', rows: [{ text: 'a' }] } }, start() {} });
  const [a, b] = [trainerOf('a'), trainerOf('b')];
`;
const ONE = 'export const service = createService({ trainer: a });';

const project = projectOfEach({ entry: HEAD + ONE });
const { svc, json, writeEntry, print } = project;
const built = () => readFile(project.path('.svc/build/index.mjs'), 'utf8');

it.each([
  ['one in an array', 'export const service = [createService({ trainer: a })];', 'exports no service'],
  ['two services', `${ONE} export default createService({ trainer: b });`, '2 services: default, service.'],
  ['another service', `${ONE} export const other = createService({ trainer: b });`, 'exports 2 services'],
  ['no export', 'createService({ trainer: a });', 'The entry exports no service.\nExport one: '],
  ['no trainer', 'export const service = createService();', 'No trainer is registered. Add a trainer and pa'],
  ['no TypeScript', 'export const service = {;', 'src/svc/index.ts:5:25: '],
  ['a throw', 'throw new RangeError("too far");', 'The entry threw: RangeError: too far\n'],
  ['a thrown word', 'throw "a word";', 'The entry threw: a word\n'],
  ['an end', 'process.exit(3);', 'exited while loading (code 3)'],
])(
  'svc build refuses %s, as svc start does, and keeps the last good build',
  async (_, exporting, message) => {
    expect(await svc('build')).toMatchObject({ exitCode: 0, stderr: '' });
    const before = await built();
    await writeEntry(HEAD + exporting);
    expect(await svc('build')).toMatchObject({ ...failure(1, message), stdout: '' });
    expect(await readdir(project.path('.svc/build'))).toEqual(['index.mjs']);
    if (!exporting.includes('exit'))
      expect(await svc('start src/svc/index.ts')).toMatchObject(failure(1, message));
    expect(await built()).toBe(before);
    expect(project.cloud.calls).toEqual([]);
  },
);

it('svc build takes one service under both names', async () => {
  await writeEntry(`${HEAD}${ONE} export default service;`);
  expect(await svc('build')).toMatchObject({ exitCode: 0, stderr: '' });
});

it('svc build says what it built from, and where it is', async () => {
  await writeEntry(`import './more.js';${entryOf()}`);
  await project.write('src/svc/more.ts', 'export {};');
  expect(await json('build')).toEqual({
    entry: project.path('src/svc/index.ts'),
    path: project.path('.svc/build/index.mjs'),
    sources: [project.path('src/svc/more.ts'), project.path('src/svc/index.ts')],
  });
  expect(await print('build')).toMatch(
    /^Built \.svc\/build\/index\.mjs from src\/svc\/index\.ts: 2 sources, [\d.]+ kB\.\n$/,
  );
});

it('svc build ends what it looks into when it is interrupted, and keeps the last good build', async () => {
  await svc('build');
  const before = await built();
  await writeEntry(`import { writeFileSync } from 'node:fs'; writeFileSync('up', ''); for (;;) {}\n${HEAD}`);
  const call = project.start('build');
  await until(() => readdir(project.cwd)).toContain('up');
  call.signal('SIGINT');
  expect((await call.done).exitCode).toBe(130);
  expect(await built()).toBe(before);
});

// Building a project's entry and loading the service from it.
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildEntry, readBuild } from '../../lib/sdk/entry/build-entry.js';
import { buildPath, findEntry } from '../../lib/sdk/entry/find-entry.js';
import { loadService } from '../../lib/sdk/entry/load-service.js';

const service = new URL('../../lib/sdk/service.ts', import.meta.url).pathname;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-entry-'));
  await mkdir(join(folder, 'src', 'svc'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (file: string, content: string) => writeFile(join(folder, 'src', 'svc', file), content);
const build = async () => buildEntry(folder, await findEntry(folder));

describe('the entry', () => {
  it('is the first default file that exists, or the given one', async () => {
    await write('index.js', '');
    expect(await findEntry(folder)).toBe(join(folder, 'src/svc/index.js'));
    await write('index.ts', '');
    expect(await findEntry(folder)).toBe(join(folder, 'src/svc/index.ts'));
    expect(await findEntry(folder, 'src/svc/index.js')).toBe(join(folder, 'src/svc/index.js'));
    await expect(findEntry(folder, 'other.ts')).rejects.toThrow(
      `There is no other.ts in ${folder}. Pass an existing entry file, or omit it to use src/svc/index.ts.`,
    );
    await rm(join(folder, 'src'), { recursive: true });
    await expect(findEntry(folder)).rejects.toThrow(
      `There is no src/svc/index.ts in ${folder}. Run "svc init" to create one.`,
    );
  });

  it('is bundled with its relative imports, without types, and with packages as external imports', async () => {
    await write('number.ts', 'export const answer: number = 42;');
    await write(
      'index.ts',
      "import { answer } from './number.js'; import { basename } from 'some-package'; export { answer, basename };",
    );
    const { path, sources } = await build();
    expect(path).toBe(buildPath(folder));
    expect(sources).toEqual([join(folder, 'src/svc/number.ts'), join(folder, 'src/svc/index.ts')]);
    const built = await readFile(path, 'utf8');
    expect(built).toContain('from "some-package"');
    expect(built).not.toContain(': number');
  });

  it('keeps the last build when the next one fails, and reports the location of the error', async () => {
    await write('index.ts', 'export const a = 1;');
    const { path } = await build();
    const before = await readFile(path, 'utf8');
    await write('index.ts', 'export const a = ;\nimport "./missing.js";');
    await expect(build()).rejects.toThrow('src/svc/index.ts:1:18: Unexpected ";"');
    await write('index.ts', 'import "./missing.js";');
    await expect(build()).rejects.toThrow('Could not resolve "./missing.js"');
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('reports which sources changed since the last build', async () => {
    expect(await readBuild(folder)).toBeNull();
    await write('number.ts', 'export const answer = 42;');
    await write('index.ts', "export * from './number.js';");
    const { path } = await build();
    expect(await readBuild(folder)).toMatchObject({ path, changed: [] });
    const later = new Date(Date.now() + 60_000);
    await utimes(join(folder, 'src/svc/number.ts'), later, later);
    expect(await readBuild(folder)).toMatchObject({ changed: ['src/svc/number.ts'] });
  });
});

describe('the service of a build', () => {
  const withService = (exporting: string) =>
    write('index.ts', `import { createService } from ${JSON.stringify(service)};\n${exporting}`);

  it.each([
    'export const service = createService({});',
    'export default createService({});',
    'export const service = 3; export default createService();',
  ])('is found: %s', async exporting => {
    await withService(exporting);
    expect(await loadService((await build()).path)).toMatchObject({ trainer: null });
  });

  it('is null when none is exported', async () => {
    await withService('export const other = createService({}); export const service = { trainer: null };');
    expect(await loadService((await build()).path)).toBeNull();
  });

  it('is reloaded after a rebuild', async () => {
    await withService('export const service = createService({}); Object.assign(service, { version: 1 });');
    const { path } = await build();
    expect(await loadService(path)).toMatchObject({ version: 1 });
    await withService('export const service = createService({}); Object.assign(service, { version: 2 });');
    await build();
    const later = new Date(Date.now() + 5000);
    await utimes(path, later, later);
    expect(await loadService(path)).toMatchObject({ version: 2 });
  });

  it("rethrows the entry's error", async () => {
    await write('index.ts', "throw new Error('not today');");
    await expect(loadService((await build()).path)).rejects.toThrow('not today');
  });
});

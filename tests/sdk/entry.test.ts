import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildEntry, buildPath, findEntry, loadService, readBuild } from '../../lib/sdk/entry/entry.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const service = new URL('../../lib/sdk/service.ts', import.meta.url).pathname;

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder('svc-entry');
  await mkdir(join(folder, 'src', 'svc'), { recursive: true });
});

const sourcePath = (file: string) => join(folder, 'src', 'svc', file);
const write = (file: string, content: string) => writeFile(sourcePath(file), content);
/** Writes the entry and builds it. */
async function build(entry: string) {
  await write('index.ts', entry);
  return buildEntry(folder, await findEntry(folder));
}
const touch = async (path: string) => {
  const later = new Date(Date.now() + 60_000);
  await utimes(path, later, later);
};

describe('the entry', () => {
  it('is the first default file that exists, or the given one', async () => {
    for (const name of ['index.js', 'index.ts']) {
      await write(name, '');
      expect(await findEntry(folder)).toBe(sourcePath(name));
    }
    expect(await findEntry(folder, 'src/svc/index.js')).toBe(sourcePath('index.js'));
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
    const imports = "import { answer } from './number.js'; import { basename } from 'some-package';";
    const { path, sources } = await build(`${imports} export { answer, basename };`);
    expect(path).toBe(buildPath(folder));
    expect(sources).toEqual(['number.ts', 'index.ts'].map(sourcePath));
    const built = await readFile(path, 'utf8');
    expect(built).toContain('from "some-package"');
    expect(built).not.toContain(': number');
  });

  it('counts a source as changed that was saved while it was being built', async () => {
    await build('export const a = 1;');
    const during = async () => write('index.ts', 'export const a = 2;');
    await buildEntry(folder, sourcePath('index.ts'), during);
    expect((await readBuild(folder))!.changed).toEqual(['src/svc/index.ts']);
    await touch(sourcePath('index.ts'));
    await buildEntry(folder, sourcePath('index.ts'));
    expect((await readBuild(folder))!.changed).toEqual(['src/svc/index.ts']);
  });

  it('has no build that does not say of which sources it is, as those of older versions', async () => {
    const { path } = await build('export const a = 1;');
    await writeFile(path, `${await readFile(path, 'utf8')}// svc:inputs ["src/svc/index.ts"]\n`);
    expect(await readBuild(folder)).toBeNull();
  });

  it('has a build that does not say from which entry it is, as those of older versions', async () => {
    const { path } = await build('export const a = 1;');
    const text = await readFile(path, 'utf8');
    const record = /{"entry".*$/m.exec(text)![0];
    const { digests } = JSON.parse(record) as { digests: object };
    await writeFile(path, text.replace(record, JSON.stringify(digests)));
    expect(await readBuild(folder)).toMatchObject({ changed: [], entry: undefined });
  });

  it('keeps the last build when the next one fails, and reports the location of the error', async () => {
    const { path } = await build('export const a = 1;');
    const before = await readFile(path, 'utf8');
    const wrong = build('export const a = ;\nimport "./missing.js";');
    await expect(wrong).rejects.toThrow('src/svc/index.ts:1:18: Unexpected ";"');
    await expect(build('import "./missing.js";')).rejects.toThrow('Could not resolve "./missing.js"');
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('reports which sources changed since the last build', async () => {
    expect(await readBuild(folder)).toBeNull();
    await write('number.ts', 'export const answer = 42;');
    const { path } = await build("export * from './number.js';");
    expect(await readBuild(folder)).toMatchObject({ path, changed: [], entry: 'src/svc/index.ts' });
    await touch(sourcePath('number.ts'));
    expect(await readBuild(folder)).toMatchObject({ changed: [] });
    await write('number.ts', 'export const answer = 43;');
    const changed = ['src/svc/number.ts'];
    expect(await readBuild(folder)).toMatchObject({ changed });
    await utimes(sourcePath('number.ts'), new Date(0), new Date(0));
    expect(await readBuild(folder)).toMatchObject({ changed });
    await rm(sourcePath('number.ts'));
    expect(await readBuild(folder)).toMatchObject({ changed });
  });
});

describe('the service of a build', () => {
  const buildService = async (exporting: string) =>
    (await build(`import { createService } from ${JSON.stringify(service)};\n${exporting}`)).path;

  it.each([
    ['export const service = createService({});', { trainer: null }],
    ['export default createService({});', { trainer: null }],
    ['export const service = 3; export default createService();', { trainer: null }],
    ['export const other = createService({}); export const service = { trainer: null };', null],
  ])('is found, unless none is exported: %s', async (exporting, found) => {
    expect(await loadService(await buildService(exporting))).toEqual(found && expect.objectContaining(found));
  });

  it('is reloaded after a rebuild', async () => {
    const versioned = (version: number) =>
      buildService(
        `export const service = createService({}); Object.assign(service, { version: ${version} });`,
      );
    expect(await loadService(await versioned(1))).toMatchObject({ version: 1 });
    const path = await versioned(2);
    await touch(path);
    expect(await loadService(path)).toMatchObject({ version: 2 });
  });

  it("rethrows the entry's error", async () => {
    const { path } = await build("throw new Error('not today');");
    await expect(loadService(path)).rejects.toThrow('not today');
  });
});

// The summary of the project's trainer: rebuilt for each request and loaded in a separate process.
import { mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../lib/clock/index.js';
import type { TrainStatus } from '../../lib/contract/index.js';
import { until } from '../support/until.js';
import { untilGone } from '../support/until-gone.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { openStudio, type TestStudio } from './open-studio.js';

const SDK = JSON.stringify(new URL('../../lib/sdk/service.ts', import.meta.url).pathname);
const HEAD = `import { createService } from ${SDK};\n`;
const trainer = (options: object) =>
  `${HEAD}export const service = createService({ trainer: { name: 'triage', options: ${JSON.stringify(options)}, start() {} } });\n`;

let test: TestStudio;

async function open(entry: string | null, clock?: Clock): Promise<void> {
  test = await openStudio({}, {}, clock);
  if (entry !== null) await write(entry);
}
const write = (entry: string) => test.write('project/src/svc/index.ts', entry);
const manifest = () => test.json('GET', '/api/manifest');
const failure = async (wanted = 'manifest_build_failed') => {
  const { status, code, message } = await manifest();
  expect([status, code]).toEqual([400, wanted]);
  return message!;
};
const output = () => readFile(join(test.folder, '.svc/build/index.mjs'), 'utf8');

describe('GET /api/manifest', () => {
  it("returns a summary of the project's trainer without calling the cloud", async () => {
    await open(trainer({ model: 'svc/other', maxSteps: 20 }));
    const found = { name: 'triage', model: 'svc/other', maxSteps: 20 };
    expect(await manifest()).toEqual({ status: 200, body: { trainer: found } });
    expect(await output()).toContain('"svc/other"');
    expect(await readdir(join(test.folder, '.svc/build'))).toEqual(['index.mjs']);
    expect(test.cloud.calls).toEqual([]);
  });

  it("names the cloud's base model, if known, when the trainer names none", async () => {
    await open(trainer({}));
    expect((await manifest()).body).toEqual({ trainer: { name: 'triage', model: 'base model' } });
    await test.beKnown();
    expect((await manifest()).body).toEqual({ trainer: { name: 'triage', model: 'svc/tiny' } });
    expect(test.cloud.calls).toEqual([]);
  });

  it('says nothing of credentials that cannot be read, which is no fault of the project', async () => {
    await open(trainer({}));
    await test.write('home/credentials.json', '{');
    expect((await manifest()).body).toEqual({ trainer: { name: 'triage', model: 'base model' } });
  });

  it('says what the trainer trains on, without the secrets of an address', async () => {
    const dataOf = async (dataset: object) => {
      await write(trainer({ model: 'a', dataset }));
      return ((await manifest()).body as { trainer: { data?: object } }).trainer.data;
    };
    await open(null);
    await test.write('project/data/rows.jsonl', '{"text":"a"}\n');
    const file = { type: 'file', path: 'data/rows.jsonl' };
    expect(await dataOf(file)).toEqual({ name: 'rows.jsonl', bytes: 13 });
    expect(await dataOf({ type: 'file', path: 'data/gone.jsonl' })).toEqual({ name: 'gone.jsonl' });
    expect(await dataOf({ type: 'rows', rows: [{ text: 'a' }, { text: 'b' }] })).toEqual({ rows: 2 });
    expect(await dataOf({ type: 'huggingface', name: 'org/set' })).toEqual({ name: 'org/set' });
    const teacher = { baseURL: 'https://example.com/v1', model: 'large', apiKey: 'secret' };
    const distilled = { type: 'distilled', teacher, prompts: 'prompts.jsonl' };
    expect(await dataOf(distilled)).toEqual({ name: 'answers of large' });
    const url = 'https://me:secret@example.com/sets/all.csv?signature=secret';
    expect(await dataOf({ type: 'blob', url })).toEqual({ name: 'all.csv' });
  });

  it.each([
    `${HEAD}export default createService({});`,
    `${HEAD}export const other = createService();`,
    'export const service = { trainer: { name: "not ours" } };',
  ])('returns null when the build exports no trainer: %#', async entry => {
    await open(entry);
    expect(await manifest()).toEqual({ status: 200, body: { trainer: null } });
  });

  it('builds once for concurrent requests, and again for the next one', async () => {
    const log = `import { appendFileSync } from 'node:fs'; appendFileSync('loads', 'x');\n`;
    await open(log + trainer({ model: 'a' }));
    const all = await Promise.all(Array.from({ length: 4 }, manifest));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await readFile(join(test.folder, 'loads'), 'utf8')).toBe('x');
    await write(log + trainer({ model: 'b' }));
    expect((await manifest()).body).toMatchObject({ trainer: { model: 'b' } });
    expect(await readFile(join(test.folder, 'loads'), 'utf8')).toBe('xx');
  });
});

describe('the build that a run would use', () => {
  const again = () => test.json('GET', '/api/manifest?reuse=true');
  const builtAt = async () => ((await test.json('GET', '/api/train')).body as TrainStatus).builtAt;

  it('is summarized without building it again, and its time tells of a new one', async () => {
    await open(trainer({ model: 'a' }));
    expect(await builtAt()).toBeUndefined();
    expect((await again()).body).toMatchObject({ trainer: { model: 'a' } });
    const first = await builtAt();
    expect(first).toBe((await stat(join(test.folder, '.svc/build/index.mjs'))).mtime.toISOString());
    await write(trainer({ model: 'b' }));
    expect((await again()).body).toMatchObject({ trainer: { model: 'a' } });
    expect(await builtAt()).toBe(first);
    await manifest();
    expect((await again()).body).toMatchObject({ trainer: { model: 'b' } });
    expect(await builtAt()).not.toBe(first);
  });

  it('may fail to load', async () => {
    await open(trainer({}));
    await test.write('project/.svc/build/index.mjs', 'throw new Error("zebra");');
    expect(await again()).toMatchObject({ status: 400, code: 'manifest_build_failed' });
  });
});

describe("a build failure is reported with the build's message, and the old output is kept", () => {
  it('when there is no entry', async () => {
    await open(null);
    expect(await failure('project_missing')).toContain('There is no src/svc/index.ts');
  });

  it.each([
    ['does not build', 'export const a = ;', /^src\/svc\/index\.ts:1:18: Unexpected ";"$/],
    [
      'throws, with its source location',
      `const when: string = 'not today';\n\nthrow new TypeError(when);`,
      /^The entry threw: TypeError: not today\n[\s\S]*src\/svc\/index\.ts:3:7/,
    ],
    [
      'passes a wrong option, with its source location and without a stack',
      `const code: string = 'svc_option_invalid';\n\nthrow Object.assign(new TypeError('sweep: no.'), { code });`,
      /^src\/svc\/index\.ts:3:\d+: sweep: no\.$/,
    ],
    ['exits', `console.error('bye'); process.exit(3);`, /^The entry exited while loading \(code 3\)\.\nbye$/],
    ['awaits nothing', 'await new Promise(() => {}); export {};', /exited while loading \(code 13\)\./],
  ])('when the entry %s', async (_, entry, message) => {
    await open(trainer({ model: 'old' }));
    await manifest();
    const before = await output();
    await write(entry);
    expect(await failure()).toMatch(message);
    expect(await output()).toBe(before);
    expect(await readdir(join(test.folder, '.svc/build'))).toEqual(['index.mjs']);
  });

  it("when a linked package throws, without the package's stack frames", async () => {
    await open(null);
    const create = 'export function create() {\n  throw new Error("no such option");\n}';
    await test.write('linked/index.js', create);
    const described = { name: 'linked', type: 'module', exports: './index.js' };
    await test.write('linked/package.json', JSON.stringify(described));
    await mkdir(join(test.folder, 'node_modules'));
    await symlink(join(test.root, 'linked'), join(test.folder, 'node_modules', 'linked'));
    await write(`import { create } from 'linked';\n\ncreate();`);
    const frames = (await failure()).split('\n').slice(1);
    expect(frames).toEqual([expect.stringMatching(/src\/svc\/index\.ts:3:1\)?$/)]);
  });

  const WAITS = 'setInterval(() => {}, 1000); await new Promise(() => {}); export {};';

  it.each(['for (;;);', WAITS])('when the entry hangs: %s', async entry => {
    const clock = createVirtualClock();
    await open(entry, clock);
    const failed = failure();
    await until(() => clock.nextMs).toBe(10_000);
    await clock.pass(9999);
    expect(clock.nextMs).toBe(1);
    await clock.pass(1);
    expect(await failed).toContain('The entry did not load within 10 s');
    expect(await readdir(join(test.folder, '.svc/build'))).toEqual([]);
  });
});

it('the output and child processes of the entry do not affect the result and are cleaned up', async () => {
  const code = `import { writeFileSync } from 'node:fs'; import { spawn } from 'node:child_process';
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
writeFileSync('pids', process.pid + ' ' + child.pid);
console.log('noise'); process.stdout.write('{"trainer":{"name":"noise"}}'); setInterval(() => {}, 1000);\n`;
  await open(code + trainer({ model: 'a' }));
  expect((await manifest()).body).toEqual({ trainer: { name: 'triage', model: 'a' } });
  for (const pid of (await readFile(join(test.folder, 'pids'), 'utf8')).split(' '))
    await untilGone(Number(pid));
});

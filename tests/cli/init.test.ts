// svc init: what a project begins with, and that it writes over nothing.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEMPLATES } from '../../cli/commands/init/template.js';
import '../../bundled-model/practice/index.js';
import { buildEntry, findEntry } from '../../lib/sdk/index.js';
import { repositoryRoot } from '../support/source-tree.js';
import { callCli } from './support/terminal.js';

let cwd: string;
beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'svc-init-')));
});
afterEach(() => rm(cwd, { recursive: true }));

const init = (...argv: string[]) => callCli(['init', ...argv], { cwd });
const read = (path: string) => readFileSync(join(cwd, path), 'utf8');
const list = () => (readdirSync(cwd, { recursive: true }) as string[]).sort();

describe('svc init', () => {
  it('writes a project into a new folder, and says what is next', async () => {
    const { exitCode, stdout, stderr } = await init('my app');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toBe(
      [
        `Created in ${join(cwd, 'my app')}:`,
        '  src/svc/index.ts  the trainer',
        '  data/train.jsonl  20 sample rows to replace with yours',
        '  package.json      depends on svc',
        '  .gitignore        ignores .svc/',
        '',
        'Next:',
        '  cd my app',
        '  npm install',
        '  npx svc start',
        '',
      ].join('\n'),
    );
    expect(list()).toEqual([
      'my app',
      'my app/.gitignore',
      'my app/data',
      'my app/data/train.jsonl',
      'my app/package.json',
      'my app/src',
      'my app/src/svc',
      'my app/src/svc/index.ts',
    ]);
    expect(read('my app/src/svc/index.ts')).toContain("name: 'my-app',");
    expect(read('my app/.gitignore')).toBe('node_modules/\n.svc/\n');
  });

  it('depends on this very package, since the name means another one on the registry', async () => {
    await init();
    const { name, type, dependencies } = JSON.parse(read('package.json'));
    expect({ name, type }).toEqual({ name: expect.stringMatching(/^svc-init-[a-z0-9-]+$/), type: 'module' });
    expect(await realpath(join(cwd, dependencies.svc.replace('file:', '')))).toBe(repositoryRoot);
  });

  it('answers what it wrote for scripts', async () => {
    expect(JSON.parse((await init('a', '--json')).stdout)).toEqual({
      folder: join(cwd, 'a'),
      template: 'blank',
      files: ['src/svc/index.ts', 'data/train.jsonl', 'package.json'],
      ignored: true,
    });
  });

  it.each(Object.keys(TEMPLATES))(
    'makes a project of the template %s that builds, with rows to train on',
    async template => {
      await init('--template', template);
      await buildEntry(cwd, await findEntry(cwd));
      for (const file of readdirSync(join(cwd, 'data'))) {
        const rows = read(`data/${file}`)
          .trimEnd()
          .split('\n')
          .map(line => JSON.parse(line));
        expect(rows.length).toBeGreaterThanOrEqual(20);
        const isProper = ({ messages: [user, assistant, ...rest] }: (typeof rows)[number]) =>
          user.role === 'user' &&
          user.content &&
          assistant.role === 'assistant' &&
          assistant.content &&
          !rest.length;
        expect(rows.filter(row => !isProper(row))).toEqual([]);
      }
    },
  );

  it('keeps the held-out rows apart', async () => {
    await init('--template', 'triage');
    const asked = (file: string) =>
      read(file)
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line).messages[0].content);
    const trained = new Set(asked('data/train.jsonl'));
    expect(asked('data/held-out.jsonl').filter(question => trained.has(question))).toEqual([]);
  });
});

describe('files that are there', () => {
  it('are left alone: it names those in the way, and writes nothing', async () => {
    await mkdir(join(cwd, 'src/svc'), { recursive: true });
    await writeFile(join(cwd, 'src/svc/index.mjs'), 'mine');
    await mkdir(join(cwd, 'data'));
    await writeFile(join(cwd, 'data/train.jsonl'), 'mine');
    const before = list();
    const { exitCode, stdout, stderr } = await init();
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toBe(
      `svc: These files already exist in ${cwd}:\n  data/train.jsonl\n  src/svc/index.mjs\n` +
        'Nothing was written. Move them, or choose another folder.\n',
    );
    expect(list()).toEqual(before);
  });

  it('a package.json stays as it is, and svc is installed into it', async () => {
    await writeFile(join(cwd, 'package.json'), '{"name":"mine"}');
    const { stdout } = await init();
    expect(read('package.json')).toBe('{"name":"mine"}');
    expect(stdout).toMatch(/^Next:\n {2}npm install file:.*\n {2}npx svc start$/m);
  });

  it('a package.json that has svc needs nothing', async () => {
    await writeFile(join(cwd, 'package.json'), '{"dependencies":{"svc":"1"}}');
    expect((await init()).stdout).toMatch(/\nNext:\n {2}npx svc start\n$/);
  });

  it.each([
    ['node_modules/\n', 'node_modules/\n.svc/\n'],
    ['dist', 'dist\n.svc/\n'],
    ['.svc\n', '.svc\n'],
    ['a\n/.svc/\nb', 'a\n/.svc/\nb'],
  ])('a .gitignore of %j becomes %j', async (before, after) => {
    await writeFile(join(cwd, '.gitignore'), before);
    await init();
    expect(read('.gitignore')).toBe(after);
  });

  it('no other template than the known ones is taken', async () => {
    const { exitCode, stderr } = await init('--template', 'poems');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'option "--template" must be triage, redaction, translate or blank, not "poems".',
    );
  });
});

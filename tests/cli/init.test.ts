// svc init: what a project begins with, and that it writes over nothing.
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { TEMPLATES } from '../../cli/commands/init/templates.js';
import '../../bundled-model/practice/index.js';
import { buildEntry, findEntry } from '../../lib/sdk/index.js';
import { repositoryRoot } from '../support/repository-root.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { jsonLines } from './support/project.js';
import { callCli } from './support/terminal.js';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(temporaryFolder('svc-init'));
});

const init = (...argv: string[]) => callCli(['init', ...argv], { cwd });
const read = (path: string) => readFileSync(join(cwd, path), 'utf8');
const list = () => (readdirSync(cwd, { recursive: true }) as string[]).sort();
function write(path: string, content: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), content);
}

type Row = { messages: { role: string; content: string }[] };
type TaskRow = { input: string; output: object };

const toTurns = ({ input, output }: TaskRow) => [
  { role: 'user', content: input },
  { role: 'assistant', content: JSON.stringify(output) },
];

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
        "  cd 'my app'",
        '  npm install',
        '  npx svc start',
        '',
      ].join('\n'),
    );
    const files = ['.gitignore', 'data', 'data/train.jsonl', 'package.json', 'src', 'src/svc'];
    const all = ['my app', ...[...files, 'src/svc/index.ts'].map(name => `my app/${name}`)];
    expect(list()).toEqual(all);
    expect(read('my app/src/svc/index.ts')).toContain("name: 'my-app',");
    expect(read('my app/.gitignore')).toBe('node_modules/\n.svc/\n');
  });

  it('depends on this very package, since the name means another one on the registry', async () => {
    expect(JSON.parse((await init('--json')).stdout)).toEqual({
      folder: cwd,
      template: 'blank',
      files: ['src/svc/index.ts', 'data/train.jsonl', 'package.json'],
      ignored: true,
    });
    const { name, type, dependencies } = JSON.parse(read('package.json'));
    expect({ name, type }).toEqual({ name: expect.stringMatching(/^svc-init-[a-z0-9-]+$/), type: 'module' });
    expect(realpathSync(join(cwd, dependencies.svc.replace('file:', '')))).toBe(repositoryRoot);
  });

  it.each(Object.keys(TEMPLATES))(
    'makes a project of %s that builds, with rows to train on',
    async template => {
      await init('--template', template);
      await buildEntry(cwd, await findEntry(cwd));
      for (const file of readdirSync(join(cwd, 'data'))) {
        const rows = jsonLines(read(`data/${file}`)) as (Row | TaskRow)[];
        expect(rows.length).toBeGreaterThanOrEqual(20);
        for (const row of rows) {
          expect('messages' in row).toBe(template !== 'task');
          const messages = 'messages' in row ? row.messages : toTurns(row);
          expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
          expect(messages.filter(({ content }) => !content)).toEqual([]);
        }
      }
    },
  );

  it('depends on what its files import, or says what to install', async () => {
    expect((await init('new', '--template', 'task')).stdout).toContain('depends on svc, zod and vitest');
    const { dependencies, devDependencies } = JSON.parse(read('new/package.json'));
    expect(Object.keys(dependencies)).toEqual(['svc', 'zod']);
    expect(Object.keys(devDependencies)).toEqual(['vitest']);
    write('package.json', '{"dependencies":{"svc":"1"}}');
    const { stdout } = await init('--template', 'task');
    expect(stdout).toContain(
      `\n  npm install zod@${dependencies.zod}\n  npm install --save-dev vitest@${devDependencies.vitest}\n`,
    );
  });

  it('builds in its workflow before it trains, since a kept build may be of older sources', async () => {
    await init('--template', 'task');
    const workflow = read('.github/workflows/weights.yml');
    const commands = [...workflow.matchAll(/\brun: npx svc (\w+)/g)].map(([, command]) => command);
    expect(commands).toEqual(['build', 'start', 'ship', 'cloud']);
  });

  it('keeps the held-out rows apart', async () => {
    await init('--template', 'triage');
    const asked = (file: string) => (jsonLines(read(file)) as Row[]).map(row => row.messages[0]!.content);
    const trained = new Set(asked('data/train.jsonl'));
    expect(asked('data/held-out.jsonl').filter(question => trained.has(question))).toEqual([]);
  });
});

describe('files that are there', () => {
  it('are left alone: it names those in the way, and writes nothing', async () => {
    write('src/svc/index.mjs', 'mine');
    write('data/train.jsonl', 'mine');
    const before = list();
    expect(await init()).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        `svc: These files already exist in ${cwd}:\n  data/train.jsonl\n  src/svc/index.mjs\n` +
        'Nothing was written. Move them, or choose another folder.\n',
    });
    expect(list()).toEqual(before);
  });

  it.each([
    ['has svc needs nothing', '{"dependencies":{"svc":"1"}}', /\nNext:\n {2}npx svc start\n$/],
    ['has not gets it', '{"name":"mine"}', /^Next:\n {2}npm install file:.*\n {2}npx svc start$/m],
  ])('a package.json that %s, and stays as it is', async (_, content, next) => {
    write('package.json', content);
    expect((await init()).stdout).toMatch(next);
    expect(read('package.json')).toBe(content);
  });

  it.each([
    ['node_modules/\n', 'node_modules/\n.svc/\n'],
    ['dist', 'dist\n.svc/\n'],
    ['.svc\n', '.svc\n'],
    ['a\n/.svc/\nb', 'a\n/.svc/\nb'],
  ])('a .gitignore of %j becomes %j', async (before, after) => {
    write('.gitignore', before);
    await init();
    expect(read('.gitignore')).toBe(after);
  });
});

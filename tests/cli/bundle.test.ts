// The built program, run as its users run it, also under a Node that is too old for it. Needs `npm run build`.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { text } from 'node:stream/consumers';
import { transform } from 'esbuild';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { repositoryRoot } from '../support/repository-root.js';
import { misuse } from './support/project.js';

const dist = join(repositoryRoot, 'dist');
const bin = join(dist, 'cli', 'bin.js');

if (!existsSync(bin)) throw new Error('dist/cli/bin.js is missing: run `npm run build` first');

interface Outcome {
  exitCode: number | string | null | undefined;
  stdout: string;
  stderr: string;
}

function runNode(...args: string[]): Promise<Outcome> {
  return new Promise(resolve => {
    execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ exitCode: error ? error.code : 0, stdout, stderr }),
    );
  });
}

/** In a process whose Node says that it is this one. */
function runUnder(version: string): Promise<Outcome> {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  return runNode('--import', `data:text/javascript,${encodeURIComponent(pretend)}`, bin, 'version');
}

/** What a file of dist loads at once, and what later. */
function namesIn(path: string): { loaded: string[]; later: string[] } {
  const source = readFileSync(join(dist, path), 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(path, source).module;
  const exported = staticExports.flatMap(({ entries }) => entries);
  const requests = [...staticImports, ...exported].map(({ moduleRequest }) => moduleRequest?.value ?? []);
  const toName = ({ start, end }: { start: number; end: number }) => source.slice(start + 1, end - 1);
  return { loaded: requests.flat(), later: dynamicImports.map(({ moduleRequest }) => toName(moduleRequest)) };
}

/** What is loaded before the program runs: our files of dist by path, everything else by name. */
function findStaticClosure(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const name of namesIn(path).loaded) {
    if (name.startsWith('.')) findStaticClosure(posix.join(posix.dirname(path), name), seen);
    else seen.add(name);
  }
  return seen;
}

function readBundledSources(path: string): string[] {
  const { sources } = JSON.parse(readFileSync(join(dist, `${path}.map`), 'utf8')) as { sources: string[] };
  return sources.map(source => posix.relative('..', posix.join(posix.dirname(path), source)));
}

it('svc prints its help, ends with 2 for an unknown command, and runs a command from its chunk', async () => {
  const help = { exitCode: 0, stdout: expect.stringContaining('svc <command>'), stderr: '' };
  expect(await runNode(bin, '--help')).toEqual(help);
  expect(await runNode(bin, 'verison')).toEqual(
    misuse('svc: unknown command "verison". Did you mean "version"?'),
  );
  const { checks } = JSON.parse((await runNode(bin, 'doctor', '--json')).stdout);
  expect(checks).toContainEqual(expect.objectContaining({ name: 'onnx-runtime', status: 'ok' }));
});

it('is quiet when nobody reads its output any more', async () => {
  const child = spawn(process.execPath, [bin, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

it('loads no package and no command to show help', () => {
  // Whether this Node can run it is known before anything else is loaded.
  expect([...findStaticClosure('cli/bin.js')]).toEqual(['cli/bin.js']);
  const loaded = namesIn('cli/bin.js').later.flatMap(name => [...findStaticClosure(posix.join('cli', name))]);
  const own = loaded.filter(name => name.endsWith('.js'));
  expect(loaded.filter(name => !own.includes(name) && !name.startsWith('node:'))).toEqual([]);
  const sources = own.flatMap(readBundledSources);
  expect(sources).toContain('cli/main.ts');
  const tables = ['cli/commands/index.ts', 'cli/commands/cloud/start-options.ts'];
  const isTable = (path: string) => tables.includes(path) || path.startsWith('cli/commands/tables/');
  expect(sources.filter(path => path.startsWith('cli/commands/') && !isTable(path))).toEqual([]);
});

it.each(['8.17.0', '18.20.4', '20.9.0', '20.18.3'])(
  'says under Node %s which one it needs',
  async version => {
    expect(packageJson.engines.node).toBe('>=20.19');
    const stderr = `svc: requires Node 20.19 or later, but this is Node ${version}. Update it from https://nodejs.org\n`;
    expect(await runUnder(version)).toEqual({ exitCode: 1, stdout: '', stderr });
  },
);

it.each(['20.19.0', '21.0.0', '24.1.0'])('runs under Node %s', async version => {
  expect(await runUnder(version)).toEqual({ exitCode: 0, stdout: `${packageJson.version}\n`, stderr: '' });
});

it('begins with a file that old ones understand', async () => {
  const source = readFileSync(bin, 'utf8');
  const print = async (target: string) => (await transform(source, { target, minify: true })).code;
  expect(await print('node12.22')).toBe(await print('esnext'));
});

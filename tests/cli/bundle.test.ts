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

/** Our files of dist that a file loads later. */
function filesLater(path: string): string[] {
  const own = namesIn(path).later.filter(name => name.startsWith('.'));
  return own.map(name => posix.join(posix.dirname(path), name));
}

/** What `svc` loads before it knows which command it runs. */
function findFrame(): string[] {
  const names = filesLater('cli/bin.js');
  return [...new Set(names.flatMap(name => [...findStaticClosure(name)]))];
}

/** The file that a command runs from. */
function findChunk(command: string): string {
  const frame = findFrame().filter(isOwn);
  return frame.flatMap(filesLater).find(path => readBundledSources(path).includes(command))!;
}

/** The sources of what `svc` has loaded when a command runs. */
function sourcesBefore(command: string): string[] {
  const loaded = [...findFrame(), ...findStaticClosure(findChunk(command))].filter(isOwn);
  return [...new Set(loaded.flatMap(readBundledSources))];
}

const isOwn = (name: string) => name.endsWith('.js');

/** Rooms of `lib`; of the SDK, its parts, few of which any one command needs. */
function roomsOf(sources: readonly string[]): string[] {
  const folders = sources.filter(path => path.startsWith('lib/')).map(path => posix.dirname(path).split('/'));
  const rooms = folders.map(([, room, part]) => (room === 'sdk' && part ? `sdk/${part}` : room!));
  return [...new Set(rooms)].sort();
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

// To esbuild, a door that is imported is all that goes through it, unless `doors.mjs` replaces it.
it.each([
  {
    command: 'cli/commands/dev.ts',
    rooms: ['clock', 'console', 'contract', 'http', 'sdk', 'sdk/files', 'studio', 'system'],
  },
  {
    command: 'cli/commands/watch.ts',
    rooms: ['client', 'clock', 'console', 'contract', 'http', 'sdk', 'sdk/files', 'studio', 'system'],
  },
  {
    command: 'cli/commands/jobs/list.ts',
    rooms: [
      ...['client', 'clock', 'console', 'contract', 'sdk', 'sdk/evaluation', 'sdk/files', 'sdk/local-cloud'],
      ...['sdk/oauth', 'sdk/session', 'system', 'tool-calls'],
    ],
  },
])('loads only the rooms that $command needs before it runs', ({ command, rooms }) => {
  const sources = sourcesBefore(command);
  expect(sources).toContain(command);
  expect(roomsOf(sources)).toEqual(rooms);
  // The contract's schemas are written with the small half of Zod.
  expect(sources.filter(path => path.includes('/zod/v4/classic/'))).toEqual([]);
});

it.each(['worker', 'run-worker', 'serve-worker', 'file-worker'])(
  "loads the engine's %s from few files, which it does not share with the command line",
  worker => {
    const files = [...findStaticClosure(`lib/engine/${worker}.js`)].filter(isOwn);
    expect(files.length).toBeLessThan(20);
    const shared = new Set([...findFrame(), ...findStaticClosure(findChunk('cli/commands/start.ts'))]);
    expect(files.filter(path => shared.has(path))).toEqual([]);
  },
);

it('the dashboard is drawn before the session and the contract, and has one of the builds of React', () => {
  const dashboard = findChunk('cli/commands/watch.ts');
  const face = [...findStaticClosure(dashboard)].filter(isOwn);
  const screen = face
    .flatMap(filesLater)
    .find(path => readBundledSources(path).includes('cli/dashboard/run-dashboard.tsx'))!;
  const files = [...new Set([...face, ...findStaticClosure(screen)])].filter(isOwn);
  const sources = files.flatMap(readBundledSources);
  expect(sources.filter(path => /\/(zod|jose|openid-client)\//.test(path))).toEqual([]);
  const builds = sources.filter(path => /react-reconciler.*\.(development|production)\.js$/.test(path));
  expect(builds.map(path => posix.basename(path)).sort()).toEqual([
    'react-reconciler-constants.production.js',
    'react-reconciler.production.js',
  ]);
});

/** Run before a program: it reports what is asked of `Intl`, and who reads the list of all emoji. */
const REPORTING = `
const report = name => console.log(name + new Error().stack.split('\\n')[3]);
for (const name of ['Collator', 'DateTimeFormat', 'ListFormat', 'NumberFormat', 'PluralRules', 'Segmenter'])
  Intl[name] = new Proxy(Intl[name], { construct(made, given) { report(name); return new made(...given); } });
globalThis.RegExp = new Proxy(RegExp, {
  construct(made, given) { if (/RGI_Emoji/.test(given[0])) report('RegExp'); return new made(...given); },
});
for (const [{ prototype }, name] of [[Number, 'toLocaleString'], [Date, 'toLocaleString'], [String, 'localeCompare']]) {
  const { [name]: asked } = prototype;
  prototype[name] = function (...given) { report(name); return asked.apply(this, given); };
}`;

// What is asked first takes a process 10 to 20 ms, a tenth of a start.
it.each([
  'cli/commands/watch.ts',
  'lib/index.js',
  'lib/engine/worker.js',
  'lib/engine/file-worker.js',
  'cli/commands/dev.ts',
  'cli/commands/jobs/list.ts',
  'cli/commands/start.ts',
])('%s asks nothing of Intl as it is loaded', async program => {
  const path = join(dist, program.endsWith('.ts') ? findChunk(program) : program);
  const load = `await import(${JSON.stringify(path)}); console.log('loaded'); process.exit();`;
  const reporting = `data:text/javascript,${encodeURIComponent(REPORTING)}`;
  const outcome = await runNode('--import', reporting, '--input-type=module', '-e', load);
  expect(outcome).toEqual({ exitCode: 0, stdout: 'loaded\n', stderr: '' });
});

it('loads no package and no command to show help', () => {
  // Whether this Node can run it is known before anything else is loaded.
  expect([...findStaticClosure('cli/bin.js')]).toEqual(['cli/bin.js']);
  const loaded = findFrame();
  expect(loaded.filter(name => !isOwn(name) && !name.startsWith('node:'))).toEqual([]);
  const sources = loaded.filter(isOwn).flatMap(readBundledSources);
  expect(sources).toContain('cli/main.ts');
  const tables = ['cli/commands/index.ts', 'cli/commands/cloud/start-options.ts'];
  const isTable = (path: string) => tables.includes(path) || path.startsWith('cli/commands/tables/');
  expect(sources.filter(path => path.startsWith('cli/commands/') && !isTable(path))).toEqual([]);
  // Signals, and plain values: the contract's schemas take four times as long as the rest.
  const plain = ['lib/console/safe-text.ts', 'lib/contract/job/job-fields.ts', 'lib/contract/vocabulary.ts'];
  const light = ['lib/clock/index.ts', ...plain, 'lib/system/signals.ts'];
  expect(sources.filter(path => !path.startsWith('cli/') && path !== 'package.json').sort()).toEqual(light);
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

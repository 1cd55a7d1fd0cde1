// The built program, run as its users run it. Needs `npm run build`.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readSource } from '../support/source.js';
import { repositoryRoot } from '../support/source-tree.js';

const dist = join(repositoryRoot, 'dist');
const bin = join(dist, 'cli', 'bin.js');

if (!existsSync(bin)) throw new Error('dist/cli/bin.js is missing: run `npm run build` first');

interface Outcome {
  exitCode: number | string | null | undefined;
  stdout: string;
  stderr: string;
}

function runBin(...argv: string[]): Promise<Outcome> {
  return new Promise(resolve => {
    execFile(process.execPath, [bin, ...argv], (error, stdout, stderr) =>
      resolve({ exitCode: error ? error.code : 0, stdout, stderr }),
    );
  });
}

/** What is loaded before the program runs: our files of dist by path, everything else by name. */
function findStaticClosure(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const { references } = readSource({ path, source: readFileSync(join(dist, path), 'utf8') });
  for (const { kind, name = '' } of references) {
    if (kind !== 'static') continue;
    if (name.startsWith('.')) findStaticClosure(posix.join(posix.dirname(path), name), seen);
    else seen.add(name);
  }
  return seen;
}

function readBundledSources(path: string): string[] {
  const { sources } = JSON.parse(readFileSync(join(dist, `${path}.map`), 'utf8')) as { sources: string[] };
  return sources.map(source => posix.relative('..', posix.join(posix.dirname(path), source)));
}

describe('dist/cli/bin.js', () => {
  it('prints its version', async () => {
    expect(await runBin('--version')).toEqual({
      exitCode: 0,
      stdout: `${packageJson.version}\n`,
      stderr: '',
    });
  });

  it('prints its help', async () => {
    const { exitCode, stdout, stderr } = await runBin('--help');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('svc <command>');
  });

  it('ends with 2 for an unknown command', async () => {
    const { exitCode, stdout, stderr } = await runBin('verison');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('svc: unknown command "verison". Did you mean "version"?');
  });

  it('runs a command from its chunk', async () => {
    const { stdout } = await runBin('doctor', '--json');
    const { checks } = JSON.parse(stdout);
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
    const { references } = readSource({ path: 'cli/bin.js', source: readFileSync(bin, 'utf8') });
    const loaded = references.flatMap(({ name = '' }) => [...findStaticClosure(posix.join('cli', name))]);
    const own = loaded.filter(name => name.endsWith('.js'));
    expect(loaded.filter(name => !own.includes(name) && !name.startsWith('node:'))).toEqual([]);
    const sources = own.flatMap(readBundledSources);
    expect(sources).toContain('cli/main.ts');
    const tables = ['cli/commands/index.ts', 'cli/commands/cloud/start-options.ts'];
    const isTable = (path: string) => tables.includes(path) || path.startsWith('cli/commands/tables/');
    expect(sources.filter(path => path.startsWith('cli/commands/') && !isTable(path))).toEqual([]);
  });
});

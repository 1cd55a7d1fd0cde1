// The program under a Node that is too old for it: one sentence, and nothing of it is loaded.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { buildProgram, type Program } from './support/run-bin.js';

let program: Program;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.remove());

/** Runs it in a process whose Node says that it is this one. */
async function runAs(version: string) {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, program.path, 'version'];
  return promisify(execFile)(process.execPath, args).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

describe('svc', () => {
  it.each(['8.17.0', '18.20.4', '20.9.0', '20.18.3'])(
    'says under Node %s which one it needs',
    async version => {
      expect(await runAs(version)).toEqual({
        code: 1,
        stdout: '',
        stderr: `svc: requires Node 20.19 or later, but this is Node ${version}. Update it from https://nodejs.org\n`,
      });
    },
  );

  it.each(['20.19.0', '21.0.0', '24.1.0'])('runs under Node %s', async version => {
    expect(await runAs(version)).toMatchObject({ code: 0, stdout: `${packageJson.version}\n` });
  });

  it('needs what the package says that it needs', () => {
    expect(packageJson.engines.node).toBe('>=20.19');
  });

  it('begins with a file that old ones understand, and that loads no other before it knows', async () => {
    const source = await readFile(program.path, 'utf8');
    expect(source).not.toMatch(/^\s*import\b(?!\()/m);
    const print = async (target: string) => (await transform(source, { target, minify: true })).code;
    expect(await print('node12.22')).toBe(await print('esnext'));
  });
});

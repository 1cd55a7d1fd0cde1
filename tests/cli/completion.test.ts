// svc completion: scripts that the shells accept, and that complete what the table of commands has.
import { execFileSync, spawnSync } from 'node:child_process';
import { beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { commands } from '../../cli/commands/index.js';
import { callCli } from './support/terminal.js';

const scriptOf = async (shell: string) => (await callCli(['completion', shell], { cwd: '/' })).stdout;

/** Says which shell is missing on this machine. */
function skipWithout(shell: string, skip: TestContext['skip']): void {
  skip(spawnSync(shell, ['--version']).error !== undefined, `there is no ${shell}`);
}

describe('the script of bash', () => {
  beforeEach(({ skip }) => skipWithout('bash', skip));

  /** What bash offers when the last of these words is being typed. */
  async function complete(...words: string[]): Promise<string[]> {
    const quoted = words.map(word => `'${word}'`).join(' ');
    const program = `${await scriptOf('bash')}
COMP_WORDS=(svc ${quoted}); COMP_CWORD=${words.length}; _svc; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const printed = execFileSync('bash', ['--norc', '-c', program], { encoding: 'utf8' });
    return printed.split('\n').filter(Boolean);
  }

  it('completes commands and groups', async () => {
    const first = [...new Set(commands.map(({ name }) => name.split(' ')[0]))];
    expect(await complete('')).toEqual(first);
    expect(await complete('en')).toEqual(['endpoints']);
    expect(await complete('jobs', '')).toEqual([
      'list',
      'show',
      'compare',
      'logs',
      'rows',
      'samples',
      'manifest',
      'wait',
      'edit',
      'cancel',
      'delete',
      'download',
    ]);
    expect(await complete('jobs', 'd')).toEqual(['delete', 'download']);
  });

  it('completes the options of the command at hand', async () => {
    expect(await complete('jobs', 'logs', '1a2b', '--')).toEqual(['--follow', '--after', '--json', '--help']);
    expect(await complete('start', '--j')).toEqual(['--json']);
    expect(await complete('completion', '--')).toEqual(['--help']);
  });

  it('completes values that are few, and leaves the rest to files', async () => {
    expect(await complete('init', '--template', 'tr')).toEqual(['triage', 'translate']);
    expect(await complete('endpoints', 'auth', 'demo', '')).toEqual(['fixed_api_key', 'none']);
    expect(await complete('endpoints', 'auth', '--json', 'demo', 'n')).toEqual(['none']);
    expect(await complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await complete('help', 'end')).toEqual(['endpoints']);
    expect(await complete('help', '')).toEqual(await complete(''));
    expect(await complete('help', 'jobs', '')).toEqual(await complete('jobs', ''));
    expect(await complete('help', 'jobs', 'd')).toEqual(['delete', 'download']);
    expect(await complete('help', 'build', '')).toEqual([]);
    expect(await complete('help', 'jobs', 'list', '')).toEqual([]);
    expect(await complete('jobs', 'download', '1a', '--out', '')).toEqual([]);
    expect(await complete('build', '')).toEqual([]);
  });
});

describe.each(['bash', 'zsh', 'fish'])('the script of %s', shell => {
  it('is one that the shell accepts', async ({ skip }) => {
    skipWithout(shell, skip);
    const { status, stderr } = spawnSync(shell, ['-n'], { input: await scriptOf(shell), encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('names every command and every option', async () => {
    const script = await scriptOf(shell);
    for (const { name, options } of commands) {
      expect(script).toContain(name);
      for (const option of Object.keys(options))
        expect(script).toContain(shell === 'fish' ? `-l ${option}` : `--${option}`);
    }
  });
});

describe('svc completion', () => {
  it('knows three shells', async () => {
    const { exitCode, stderr } = await callCli(['completion', 'csh'], { cwd: '/' });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('expected bash, zsh or fish, not "csh".');
    expect((await callCli(['help', 'completion'], { cwd: '/' })).stdout).toContain('for bash, zsh or fish');
  });
});

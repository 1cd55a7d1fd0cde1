// svc completion: scripts that the shells accept, and that complete what the table of commands has.
import { execFileSync, spawnSync } from 'node:child_process';
import { beforeEach, describe, expect, it, type TestContext } from 'vitest';
import { commands } from '../../cli/commands/index.js';
import { callCli } from './support/terminal.js';

const scriptOf = async (shell: string) => (await callCli(['completion', shell])).stdout;

/** Says which shell is missing on this machine. */
function skipWithout(shell: string, skip: TestContext['skip']): void {
  skip(spawnSync(shell, ['--version']).error !== undefined, `there is no ${shell}`);
}

describe('the script of bash', () => {
  beforeEach(({ skip }) => skipWithout('bash', skip));

  /** What bash offers when the last of these words is being typed. */
  async function complete(line: string): Promise<string[]> {
    const words = line.split(' ');
    const quoted = words.map(word => `'${word}'`).join(' ');
    const program = `${await scriptOf('bash')}
COMP_WORDS=(svc ${quoted}); COMP_CWORD=${words.length}; _svc; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const printed = execFileSync('bash', ['--norc', '-c', program], { encoding: 'utf8' });
    return printed.split('\n').filter(Boolean);
  }

  const first = [...new Set(commands.map(({ name }) => name.split(' ')[0]!))].join(' ');
  const jobs =
    'list show compare logs rows samples answers manifest wait edit cancel delete download export push';
  it.each([
    ['', first],
    ['en', 'endpoints'],
    ['jobs ', jobs],
    ['jobs d', 'delete download'],
    ['jobs logs 1a2b --', '--follow --after --json --help'],
    ['start --j', '--json'],
    ['completion --', '--help'],
    ['models ', 'list show pull rm'],
    ['models li', 'list'],
    ['models --', '--data --json --help'],
    ['models --json --d', '--data'],
    ['models list --', '--data --json --help'],
    ['models rm --', '--yes --force --data --json --help'],
    ['help --', '--help'],
    ['init --template tr', 'triage translate'],
    ['endpoints auth demo ', 'fixed_api_key none'],
    ['endpoints auth --json demo n', 'none'],
    ['completion ', 'bash zsh fish'],
    ['help ', first],
    ['help end', 'endpoints'],
    ['help jobs ', jobs],
    ['help jobs d', 'delete download'],
    // The rest is left to files.
    ...['help build ', 'help jobs list ', 'jobs download 1a --out ', 'build '].map(line => [line, '']),
  ])('completes "svc %s" with "%s"', async (line, offered) => {
    expect(await complete(line!)).toEqual(offered!.split(' ').filter(Boolean));
  });
});

it('the scripts of zsh and fish offer what a command takes whose name begins others, too', async () => {
  const summary = 'List the base models on this machine';
  const zsh = await scriptOf('zsh');
  expect(zsh).toContain(`choices=('list:${summary}' 'show:`);
  expect(zsh).toContain(`'models list') choices=('--data:`);
  const fish = await scriptOf('fish');
  expect(fish).toContain(`-n '__svc_exactly models' -a list -d '${summary}'`);
  expect(fish).toContain("-n '__svc_at models' -l data");
});

describe.each(['bash', 'zsh', 'fish'])('the script of %s', shell => {
  it('is one that the shell accepts', async ({ skip }) => {
    skipWithout(shell, skip);
    const { status, stderr } = spawnSync(shell, ['-n'], { input: await scriptOf(shell), encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('names every command and every option', async () => {
    const script = await scriptOf(shell);
    for (const { name, options = {} } of commands) {
      expect(script).toContain(name);
      for (const option of Object.keys(options))
        expect(script).toContain(shell === 'fish' ? `-l ${option}` : `--${option}`);
    }
  });
});

it('svc completion knows three shells', async () => {
  const { stdout } = await callCli(['help', 'completion']);
  expect(stdout).toContain('for bash, zsh or fish');
});

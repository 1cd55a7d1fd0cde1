// The command line itself: help, version, and what it says about what it does not know.
import { describe, expect, it } from 'vitest';
import type { Command, Input } from '../../cli/command.js';
import { commands } from '../../cli/commands/index.js';
import packageJson from '../../package.json' with { type: 'json' };
import { callCli } from '../support/cli.js';

describe('svc help', () => {
  it.each([[['--help']], [['-h']], [['help']], [['--json', '--help']]])(
    '%j lists every command',
    async argv => {
      const { exitCode, stdout, stderr } = await callCli(argv);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      for (const { name, summary } of commands) {
        expect(stdout).toMatch(new RegExp(`^  ${name} .*${summary}$`, 'm'));
      }
    },
  );

  it('loads no command', async () => {
    const load = () => Promise.reject(new Error('loaded'));
    const locked = commands.map(command => ({ ...command, load }));
    expect(await callCli(['--help'], { commands: locked })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await callCli(['doctor', '--help'], { commands: locked })).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
  });

  it('is printed as a complaint when no command is given', async () => {
    const { exitCode, stdout, stderr } = await callCli([]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toBe((await callCli(['--help'])).stdout);
  });

  it.each([[['help', 'doctor']], [['doctor', '--help']], [['doctor', '-h']], [['--help', 'doctor']]])(
    "%j shows the command's own help",
    async argv => {
      const { exitCode, stdout } = await callCli(argv);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(
        /^Check this machine.*\n\nUsage {2}svc doctor \[--ray \[URL\]\] \[options\]\n\nOptions\n +--ray .*--json/s,
      );
    },
  );

  it('of an unknown command suggests a known one', async () => {
    const { exitCode, stderr } = await callCli(['help', 'docter']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('svc: unknown command "docter". Did you mean "doctor"?');
  });
});

describe('svc version', () => {
  it.each([[['--version']], [['-v']], [['version']]])(
    '%j prints the version and nothing else',
    async argv => {
      expect(await callCli(argv)).toEqual({ exitCode: 0, stdout: `${packageJson.version}\n`, stderr: '' });
    },
  );

  it('answers in JSON', async () => {
    const { stdout } = await callCli(['--json', 'version']);
    expect(JSON.parse(stdout)).toEqual({ version: packageJson.version });
  });
});

describe('a command line that is wrong', () => {
  const wrong: Array<[argv: string[], complaint: string]> = [
    [['versoin'], 'unknown command "versoin". Did you mean "version"?'],
    [['xyzzy'], 'unknown command "xyzzy".\n'],
    [['doctor', '--jsno'], 'unknown option "--jsno". Did you mean "--json"?\nRun "svc help doctor"'],
    [['doctor', '-x'], 'unknown option "-x".\n'],
    [['--color', 'doctor'], 'unknown option "--color".\nRun "svc help" '],
    [['doctor', '--toString'], 'unknown option "--toString".\n'],
    [['doctor', '--json=yes'], 'option "--json" does not take a value.'],
    [['whoami', 'now'], 'unexpected argument "now".'],
    [['doctor', 'now'], 'A URL can only be used with --ray.'],
    [['--json', 'versoin'], 'unknown command "versoin".'],
  ];

  it.each(wrong)('%j is a usage error, told on stderr', async (argv, complaint) => {
    const { exitCode, stdout, stderr } = await callCli(argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`svc: ${complaint}`);
  });
});

describe('the table of commands', () => {
  const calls: Input[] = [];
  const createCommand = (name: string, more: Partial<Command> = {}): Command => ({
    name,
    summary: `Does ${name}`,
    options: { port: { type: 'string', summary: 'The port', value: 'N' } },
    load: async () => ({
      run: async input => {
        calls.push(input);
        return 0;
      },
    }),
    ...more,
  });
  const table = [
    createCommand('jobs list'),
    createCommand('jobs show', { usage: 'ID', positionals: { min: 1, max: 1 } }),
    createCommand('broken', { load: () => Promise.reject(new TypeError('no such thing')) }),
  ];

  it('gives a command its arguments and options', async () => {
    calls.length = 0;
    await callCli(['--json', 'jobs', 'show', 'job_1', '--port', '4001'], { commands: table });
    expect(calls).toMatchObject([{ positionals: ['job_1'], values: { port: '4001' }, json: true }]);
  });

  it.each([
    [
      ['jobs', 'lits'],
      'unknown command "jobs lits". Did you mean "jobs list"?\nRun "svc help jobs" for usage.',
    ],
    [['job'], 'unknown command "job". Did you mean "jobs"?'],
    [['jobs', 'show'], 'missing argument: ID.'],
    [['jobs', 'list', '--port'], 'option "--port" needs a value.'],
    [['jobs', 'list', '--port='], 'option "--port" needs a value.'],
    [['jobs', 'list', '--port', ''], 'option "--port" needs a value.'],
    [['jobs', 'list', '--port', '--json'], 'option "--port" needs a value;'],
  ])('refuses %j', async (argv, complaint) => {
    const { exitCode, stderr } = await callCli(argv, { commands: table });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`svc: ${complaint}`);
  });

  it('shows what is in a group', async () => {
    const asked = await callCli(['jobs', '--help'], { commands: table });
    expect(asked).toMatchObject({ exitCode: 0, stderr: '' });
    expect(asked.stdout).toMatch(/jobs list .*Does jobs list\n {2}jobs show ID .*Does jobs show\n$/);
    const bare = await callCli(['jobs'], { commands: table });
    expect(bare).toEqual({ exitCode: 2, stdout: '', stderr: asked.stdout });
  });

  it("turns a command's failure into a message, with its origin only for who debugs", async () => {
    expect(await callCli(['broken'], { commands: table })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'svc: no such thing\n',
    });
    const { stderr } = await callCli(['broken'], { commands: table, env: { SVC_DEBUG: '1' } });
    expect(stderr).toMatch(/^svc: TypeError: no such thing\n +at /);
  });
});

describe('color', () => {
  const escapeCode = String.fromCharCode(27);

  it('is used on a terminal', async () => {
    expect((await callCli(['--help'], { isTTY: true })).stdout).toContain(
      `${escapeCode}[1mUsage${escapeCode}[22m`,
    );
  });

  it.each([
    ['not a terminal', {}],
    ['NO_COLOR', { isTTY: true, env: { NO_COLOR: '1' } }],
    ['TERM=dumb', { isTTY: true, env: { TERM: 'dumb' } }],
  ])('is left out: %s', async (_reason, options) => {
    expect((await callCli(['--help'], options)).stdout).not.toContain(escapeCode);
  });
});

// The command line itself: help, version, and what it says about what it does not know.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Command, Input } from '../../cli/command.js';
import { commands } from '../../cli/commands/index.js';
import { suggest } from '../../cli/lookup.js';
import { parseOptions, path, paths, text } from '../../cli/options.js';
import packageJson from '../../package.json' with { type: 'json' };
import { misuse } from './support/project.js';
import { callCli } from './support/terminal.js';

const call = (line: string, options?: Parameters<typeof callCli>[1]) => callCli(line.split(' '), options);

describe('svc help', () => {
  it.each(['--help', '-h', 'help', '--json --help'])('%s lists every command', async line => {
    const { exitCode, stdout, stderr } = await call(line);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const { name, summary } of commands)
      expect(stdout).toMatch(new RegExp(`^  ${name} .*${summary}$`, 'm'));
  });

  it('names many values after what they are for, so that every line begins within the screen', async () => {
    const { stdout } = await call('jobs list --help');
    expect(stdout).toContain('\n      --status STATUS  Only jobs with this status: queued, running, ');
    expect(stdout).toMatch(/\n {6}--sort SORT {6}Sort by this .*: created, name, .* or best-score\n/);
  });

  it('loads no command', async () => {
    const load = () => Promise.reject(new Error('loaded'));
    const locked = commands.map(command => ({ ...command, load }));
    for (const line of ['--help', 'doctor --help'])
      expect(await call(line, { commands: locked })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('is printed as a complaint when no command is given', async () => {
    const { stdout: stderr } = await call('--help');
    expect(await callCli([])).toEqual({ exitCode: 2, stdout: '', stderr });
  });

  it.each(['help doctor', 'doctor --help', 'doctor -h', '--help doctor'])(
    '%s is of that command',
    async line => {
      const { exitCode, stdout } = await call(line);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(
        /^Check this machine.*\n\nUsage {2}svc doctor \[--ray \[URL\]\] \[options\]\n\nOptions\n +--device .*--ray .*--json/s,
      );
    },
  );
});

describe('svc version', () => {
  it.each(['--version', '-v', 'version'])('%s prints the version and nothing else', async line => {
    expect(await call(line)).toEqual({ exitCode: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });

  it('answers in JSON', async () => {
    expect(JSON.parse((await call('--json version')).stdout)).toEqual({ version: packageJson.version });
  });
});

it.each([
  ['versoin', 'unknown command "versoin". Did you mean "version"?'],
  ['--json versoin', 'unknown command "versoin".'],
  ['help docter', 'unknown command "docter". Did you mean "doctor"?'],
  ['xyzzy', 'unknown command "xyzzy".\n'],
  ['doctor --jsno', 'unknown option "--jsno". Did you mean "--json"?\nRun "svc help doctor"'],
  ['doctor -x', 'unknown option "-x".\n'],
  ['--color doctor', 'unknown option "--color".\nRun "svc help" '],
  ['doctor --toString', 'unknown option "--toString".\n'],
  ['doctor --json=yes', 'option "--json" does not take a value.'],
  ['whoami now', 'unexpected argument "now".'],
  ['doctor now', 'A URL can only be used with --ray.'],
])('%s is a usage error, told on stderr', async (line, complaint) => {
  expect(await call(line)).toMatchObject(misuse(`svc: ${complaint}`));
});

describe('the table of commands', () => {
  const calls: Input[] = [];
  const createCommand = (name: string, more: Partial<Command> = {}): Command => ({
    name,
    summary: `Does ${name}`,
    options: { port: { type: 'string', summary: 'The port', value: 'N' } },
    load: async () => async input => {
      calls.push(input);
      return 0;
    },
    ...more,
  });
  const table = [
    createCommand('jobs list'),
    createCommand('jobs show', { usage: 'ID' }),
    createCommand('jobs compare', { usage: 'ID ID…', mostArguments: 6 }),
    createCommand('jobs pull', { usage: 'OWNER/NAME[:FILE]' }),
    createCommand('broken', { load: () => Promise.reject(new TypeError('no such thing')) }),
  ];

  it('gives a command its arguments and options', async () => {
    calls.length = 0;
    await call('--json jobs show job_1 --port 4001', { commands: table });
    expect(calls).toMatchObject([{ positionals: ['job_1'], values: { port: '4001' }, json: true }]);
  });

  it.each([
    ['jobs lits', 'unknown command "jobs lits". Did you mean "jobs list"?\nRun "svc help jobs" for usage.'],
    ['job', 'unknown command "job". Did you mean "jobs"?'],
    ['jobs show', 'missing argument: ID.'],
    ['jobs compare a', 'missing argument: ID ID…'],
    ['jobs pull', 'missing argument: OWNER/NAME[:FILE].'],
    ['jobs compare a b c d e f g', 'unexpected argument "g". At most 6 may be given.'],
    ['jobs list --port', 'option "--port" needs a value.'],
    ['jobs list --port=', 'option "--port" needs a value.'],
    ['jobs list --port ', 'option "--port" needs a value.'],
    ['jobs list --port --json', 'option "--port" needs a value;'],
  ])('refuses "%s"', async (line, complaint) => {
    expect(await call(line, { commands: table })).toMatchObject(misuse(`svc: ${complaint}`));
  });

  it('shows what is in a group', async () => {
    const { stdout, ...end } = await call('jobs --help', { commands: table });
    expect(end).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(
      /jobs list .*Does jobs list\n {2}jobs show ID .*Does jobs show\n {2}jobs compare ID ID… .*\n {2}jobs pull OWNER\/NAME\[:FILE\] .*\n$/,
    );
    expect(await call('jobs', { commands: table })).toEqual({ exitCode: 2, stdout: '', stderr: stdout });
  });

  it('finds the home folder that a shell leaves alone in --name=~', async () => {
    const options = {
      cwd: path('DIR', ''),
      files: paths('FILE', ''),
      note: text('TEXT', ''),
    };
    const files = ['--files=~', '--files', './~', '--files=~other/a', '--files=a~/b'];
    const { values } = parseOptions(['--cwd=~/my app', '--note=~/my app', ...files], options);
    expect(values).toEqual({
      cwd: join(homedir(), 'my app'),
      files: [homedir(), './~', '~other/a', 'a~/b'],
      note: '~/my app',
    });
  });

  it("turns a command's failure into a message, with its origin only for who debugs", async () => {
    const stderr = 'svc: no such thing\n';
    expect(await call('broken', { commands: table })).toEqual({ exitCode: 1, stdout: '', stderr });
    const debugged = await call('broken', { commands: table, env: { SVC_DEBUG: '1' } });
    expect(debugged.stderr).toMatch(/^svc: TypeError: no such thing\n +at /);
  });
});

it.each([
  ['on a terminal', { isTTY: true }, true],
  ['where there is none', {}, false],
  ['with NO_COLOR', { isTTY: true, env: { NO_COLOR: '1' } }, false],
  ['with TERM=dumb', { isTTY: true, env: { TERM: 'dumb' } }, false],
])('color is used only on a terminal that wants it: %s', async (_, options, isColored) => {
  const { stdout } = await call('--help', options);
  expect(stdout).toContain(isColored ? '\u001b[1mUsage\u001b[22m' : 'Usage');
  expect(stdout.includes('\u001b')).toBe(isColored);
});

describe('a name that is mistyped', () => {
  const names = ['build', 'dev', 'start', 'endpoints', 'job', 'jobs'];

  it.each([
    ['bulid', 'build', 'two letters swapped'],
    ['biuld', 'build', 'two letters swapped'],
    ['ednpionts', 'endpoints', 'swapped twice'],
    ['buil', 'build', 'a letter left out'],
    ['starrt', 'start', 'a letter too many'],
    ['stort', 'start', 'a wrong letter'],
    ['dve', 'dev', 'a short name'],
    ['endpoint', 'endpoints', 'the singular'],
    ['jbs', 'jobs', 'the closest of several'],
    ...['', 'x', 'dxx', 'serve', 'rm'].map(typed => [typed, undefined, 'too far']),
  ])('as %j means %s: %s', (typed, meant) => {
    expect(suggest(typed!, names)).toBe(meant);
  });
});

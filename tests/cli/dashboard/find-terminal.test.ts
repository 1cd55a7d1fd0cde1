import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { findTerminal } from '../../../cli/commands/dashboard/find-terminal.js';
import { callCli } from '../../support/cli.js';

const stream = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });

function find(part: { stdin?: boolean; stdout?: boolean; env?: Record<string, string> }) {
  const { stdin = true, stdout = true, env = {} } = part;
  const io = { stdin: stream(stdin), stdout: stream(stdout), stderr: stream(true), env, cwd: '/' };
  return findTerminal(io) !== null;
}

it('has the dashboard at a terminal', () => {
  expect(find({})).toBe(true);
});

it.each([
  ['nobody types', { stdin: false }],
  ['nobody looks', { stdout: false }],
  ['it is a CI machine', { env: { CI: 'true' } }],
  ['the terminal cannot be drawn on', { env: { TERM: 'dumb' } }],
])('has lines where %s', (_where, part) => {
  expect(find(part)).toBe(false);
});

it('svc watch says what to do without a terminal', async () => {
  expect(await callCli(['watch', '1a2b'])).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('svc jobs logs ID --follow'),
  });
});

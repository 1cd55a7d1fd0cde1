// What svc calls itself in commands to copy: as the package manager runs it that ran it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTextReporter } from '../../cli/commands/start/text-reporter.js';
import { createScreen } from '../../cli/commands/terminal/screen.js';
import { inOwnName, ownName } from '../../cli/own-name.js';
import { openRemoteProject, type RemoteProject } from '../support/remote-project.js';
import { JOB_ID } from '../support/samples.js';
import { callCli } from './support/terminal.js';

const BY_NPX = { npm_config_user_agent: 'npm/11.19.1 node/v20.20.2 linux x64 workspaces/false' };

it.each([
  [{}, 'svc'],
  [BY_NPX, 'npx svc'],
  [{ npm_config_user_agent: 'pnpm/10.1.0 npm/? node/v22.0.0 linux x64' }, 'pnpm exec svc'],
  [{ npm_config_user_agent: 'yarn/4.0.0 npm/? node/v22.0.0 linux x64' }, 'yarn svc'],
  [{ npm_config_user_agent: 'bun/1.2.0 npm/? node/v22.0.0 linux x64' }, 'bunx svc'],
  [{ npm_config_user_agent: 'toString/1' }, 'svc'],
])('with %j that is %s', (env, name) => {
  expect(ownName(env)).toBe(name);
});

it('is put into the commands of a message, and nowhere else', () => {
  expect(inOwnName('Run "svc help", or `svc doctor`: svc is "svc", not "svcs".', BY_NPX)).toBe(
    'Run "npx svc help", or `npx svc doctor`: svc is "svc", not "svcs".',
  );
});

it('is what the end of a run says', () => {
  const printed: string[] = [];
  const stdout = { write: (text: string) => printed.push(text) };
  const reporter = createTextReporter({ stdout, env: BY_NPX }, createScreen(stdout, BY_NPX));
  const artifact = { name: 'final', kind: 'final', step: 4, bytes: 9, sha256: 'a'.repeat(64) } as const;
  reporter.onEnd({ jobId: JOB_ID, status: 'completed', artifacts: [artifact], metrics: {} });
  expect(printed.join('')).toContain(
    `\n  npx svc chat --job ${JOB_ID.slice(0, 8)}\n  npx svc endpoints create`,
  );
  reporter.onEnd({ jobId: JOB_ID, status: 'failed', error: 'The disk is full: try `svc cloud gc`.' });
  expect(printed.join('')).toContain('try `npx svc cloud gc`.');
});

describe('a newcomer who runs npx', () => {
  let project: RemoteProject;
  beforeAll(async () => {
    project = await openRemoteProject();
  });
  afterAll(() => project.close());
  const npx = (...argv: string[]) => callCli(argv, { cwd: project.cwd, env: { ...project.env, ...BY_NPX } });

  it.each([
    [['jobs', 'list'], 'To start one, run "npx svc start".'],
    [['endpoints', 'list'], '"npx svc endpoints create SLUG --job ID"'],
    [['cloud', 'status'], 'To start it, run: npx svc cloud start'],
    [['help'], 'Run "npx svc help <command>"'],
    [['--help'], 'Run "npx svc help <command>"'],
    [
      ['endpoints', 'create', 'demo', '--base-model', 'svc/tiny'],
      'To issue one, run: npx svc keys issue demo',
    ],
    [['keys', 'list', 'demo'], '"npx svc keys issue demo --label TEXT"'],
  ])('is answered to %j with what works there', async (argv, text) => {
    expect((await npx(...argv)).stdout).toContain(text);
  });

  it.each([
    [['jobs', 'list', '--no'], 'Run "npx svc help jobs list"'],
    [['jobs', 'show', 'x'], 'Run "npx svc jobs list" to see all jobs.'],
    [['start'], 'Run "npx svc init" to create one.'],
    [['api', 'GET', '/api/jobs'], '"npx svc dev" is not running in'],
    [['login'], 'Configure one with "npx svc cloud start --oauth-issuer URL'],
  ])('is told at %j what works there', async (argv, text) => {
    expect((await npx(...argv)).stderr).toContain(text);
  });
});

// What svc calls itself in commands to copy: as the package manager runs it that ran it.
import { expect, it } from 'vitest';
import { createTextReporter } from '../../cli/commands/start/text-reporter.js';
import { inOwnName, ownName } from '../../cli/print.js';
import { createScreen } from '../../cli/screen.js';
import { JOB_ID } from '../support/samples.js';
import { projectOfEach } from './support/project.js';

const BY_NPX = { npm_config_user_agent: 'npm/11.19.1 node/v20.20.2 linux x64 workspaces/false' };

it.each([
  [undefined, 'svc'],
  [BY_NPX.npm_config_user_agent, 'npx svc'],
  ['pnpm/10.1.0 npm/? node/v22.0.0 linux x64', 'pnpm exec svc'],
  ['yarn/4.0.0 npm/? node/v22.0.0 linux x64', 'yarn svc'],
  ['bun/1.2.0 npm/? node/v22.0.0 linux x64', 'bunx svc'],
  ['toString/1', 'svc'],
])('with %j that is %s', (npm_config_user_agent, name) => {
  expect(ownName({ npm_config_user_agent })).toBe(name);
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
  reporter.onEnd({ jobId: JOB_ID, status: 'failed', error: 'The disk is full: try `svc cloud gc`.' });
  const id = JOB_ID.slice(0, 8);
  expect(printed.join('')).toContain(`\n  npx svc chat --job ${id}\n  npx svc endpoints create`);
  expect(printed.join('')).toContain('try `npx svc cloud gc`.');
});

const { svc } = projectOfEach();

it.each([
  ['jobs list', 'To start one, run "npx svc start".'],
  ['endpoints list', '"npx svc endpoints create SLUG --job ID"'],
  ['cloud status', 'To start it, run: npx svc cloud start'],
  ['help', 'Run "npx svc help <command>"'],
  ['endpoints create demo --base-model svc/tiny', 'To issue one, run: npx svc keys issue demo'],
  ['jobs list --no', 'Run "npx svc help jobs list"'],
  ['jobs show x', 'Run "npx svc start" here to train'],
  ['start', 'Run "npx svc init" to create one.'],
  ['api GET /api/jobs', '"npx svc dev" is not running in'],
  ['login', 'Configure one with "npx svc cloud start --oauth-issuer URL'],
])('a newcomer who runs "npx svc %s" is told what works there', async (line, text) => {
  const { stdout, stderr } = await svc(line, { env: BY_NPX });
  expect(stdout + stderr).toContain(text);
});

// Tests for weights of a project elsewhere: in a terminal, where they run again, and as GitHub Actions runs them.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { projectOfEach } from '../cli/support/project.js';
import { toCompletion } from '../sdk/support.js';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import { startProgram } from '../support/program.js';
import { repositoryRoot } from '../support/repository-root.js';
import { until } from '../support/until.js';
import { openSvc } from './support/open-svc.js';

const project = projectOfEach({ isLinked: true, routes: { chat: () => toCompletion('bug') } });

const TESTS = `import { expect, it } from 'vitest';
import { describeModel } from 'svc/vitest';
import { word } from './word.js';
describeModel('tiny', { base: true }, ({ ask }) => {
  it('files a bug', async () => {
    await expect(ask('The app crashes when I log in.')).toAnswer(word);
  });
});
`;
const write = (word: string) => project.write('word.ts', `export const word = '${word}';\n`);

beforeEach(async () => {
  await project.write('tiny.weights.test.ts', TESTS);
  await project.write('other.test.ts', "import { it } from 'vitest';\nit('is not asked', () => {});\n");
  await write('bug');
  for (const name of ['svc', 'vitest']) {
    const path = name === 'svc' ? repositoryRoot : join(repositoryRoot, 'node_modules', name);
    await project.write('node_modules/.keep', '');
    await symlink(path, project.path('node_modules', name));
  }
});

/** Nothing scrolls out of sight. */
const size = { columns: 100, rows: 100 };

it('run again when a file changes and as keys say, they alone, and the last run counts', async () => {
  const screen = openSvc(['test', '--watch'], { cwd: project.cwd, env: project.env, size });
  const shownAfter = (mark: string) => screen.text().split(mark)[1];
  await screen.shows('1 passed (1)', 'Waiting for file changes');
  await write('wish');
  await until(() => shownAfter('RERUN  word.ts x1')).toContain('Tests failed. Watching for file changes');
  expect(screen.text()).toContain('expected  wish');
  await write('bug');
  await until(() => shownAfter('RERUN  word.ts x2')).toContain('Waiting for file changes');
  screen.press('a');
  await until(() => shownAfter('RERUN  rerun all tests x3')).toContain('Waiting for file changes');
  expect(screen.text()).not.toContain('other.test.ts');
  screen.press('q');
  expect(await screen.exited).toBe(0);
});

it('end with Ctrl-C, also while they run', async () => {
  const slow = 'await new Promise(resolve => setTimeout(resolve, 3000));';
  await project.write('tiny.weights.test.ts', TESTS.replace('async () => {', `async () => {\n    ${slow}`));
  const screen = openSvc(['test', '--watch'], { cwd: project.cwd, env: project.env, size });
  await screen.shows('[queued]');
  screen.press('ctrl-c');
  await screen.shows('Cancelling test run.');
  expect(await screen.exited).toBe(130);
});

// Two programs that run Vitest, one after the other.
it('are annotated in GitHub Actions, where they failed', { timeout: 2 * JOURNEY_TIMEOUT_MS }, async () => {
  await write('wish');
  const env = { ...project.env, GITHUB_ACTIONS: 'true', CI: 'true' };
  for (const more of [[], ['--junit', 'report.xml']]) {
    const { exitCode, stdout } = await startProgram(['test', ...more], { cwd: project.cwd, env }).ended;
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^::error file=.*\/tiny\.weights\.test\.ts,title=[^,]*files a bug,line=6,column=\d+::/m,
    );
    expect(stdout.match(/^::error/gm)).toHaveLength(1);
  }
});

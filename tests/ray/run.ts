// `npm run test:ray`: the checks and tests of the Python package in `ray`, and those that need a Ray cluster of this
// machine, with an environment of their own in `ray/.venv`. It is made once, and takes about two gigabytes; nothing else of
// this project needs Python. `install` only makes the environment, `python` checks and tests the package alone. `short` runs
// the tests that need a cluster, but those tagged `long`, which repeat with more steps, examples or workers, or with the other
// engine, what another shows.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleTestProgram } from '../support/test-program.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = `${root}/ray`;
const python = `${folder}/.venv/bin/python`;
/** What is installed, by the digest of the file that lists it; written last, so a half-made environment has none. */
const stamp = `${folder}/.venv/svc-installed`;

/** What the tests of the package start in Node, many times: bundled, it starts in a fraction of the time. */
const PROGRAMS = {
  SVC_TEST_EXPORTS: 'tests/ray/exports.ts',
  SVC_TEST_REFERENCE: 'tests/ray/reference.ts',
  SVC_TEST_RUN_WORKER: 'lib/engine/run-worker.ts',
  SVC_TEST_SERVE_WORKER: 'lib/engine/serve-worker.ts',
};

/** Ends this program where the command fails. */
function run([program, ...args]: [string, ...string[]], { cwd = folder, env = {} } = {}): void {
  const { status, error } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function install(): void {
  const wanted = createHash('sha256')
    .update(readFileSync(`${folder}/pyproject.toml`))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const base = process.env.SVC_PYTHON ?? 'python3';
  const asked = 'import sys, venv, ensurepip; print(sys.version_info >= (3, 11))';
  const { stdout } = spawnSync(base, ['-c', asked], { encoding: 'utf8' });
  if (stdout?.trim() !== 'True') {
    console.error(
      `${base} is not Python 3.11 or newer with venv and pip. Install them (on Debian: apt-get install python3-venv), or set SVC_PYTHON to such a Python.`,
    );
    process.exit(1);
  }
  console.log('Installing the Python packages into ray/.venv. This takes minutes, once.');
  run([base, '-m', 'venv', '.venv']);
  // Python compiles what it imports. Pip would compile all of it, which takes half a minute of the processor.
  const flags = ['--quiet', '--disable-pip-version-check', '--no-compile'];
  run([python, '-m', 'pip', 'install', ...flags, '--editable', '.[dev,serve]']);
  writeFileSync(stamp, wanted);
}

const form = process.argv[2] ?? 'all';

async function testPackage(): Promise<void> {
  run([python, '-m', 'ruff', 'check', '.']);
  run([python, '-m', 'ruff', 'format', '--check', '.']);
  run([python, '-m', 'mypy']);
  const env: Record<string, string> = {};
  for (const [name, source] of Object.entries(PROGRAMS))
    env[name] = await bundleTestProgram(join(root, source));
  run([python, '-m', 'pytest'], { env });
}

function testOnCluster(): void {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/ray/vitest.config.ts'];
  run([process.execPath, ...vitest, ...(form === 'short' ? ['--tagsFilter', '!long'] : [])], { cwd: root });
}

install();
if (form === 'all' || form === 'python') await testPackage();
if (form === 'all' || form === 'short') testOnCluster();

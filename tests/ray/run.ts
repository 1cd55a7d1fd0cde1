// `npm run test:ray`: the checks and tests of the Python package in `ray`, and those that need a Ray cluster of this
// machine, with an environment of their own in `ray/.venv`. It is made once, and takes about two gigabytes; nothing else of
// this project needs Python. `install` only makes the environment, `python` checks and tests the package alone. `short` runs
// the tests that need a cluster, but those tagged `long`, which repeat with more steps, examples or workers, or with the other
// engine, what another shows.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = `${root}/ray`;
const python = `${folder}/.venv/bin/python`;
/** What is installed, by the digest of the file that lists it; written last, so a half-made environment has none. */
const stamp = `${folder}/.venv/svc-installed`;

/** Ends this program where the command fails. */
function run([program, ...args]: [string, ...string[]], cwd = folder): void {
  const { status, error } = spawnSync(program, args, { cwd, stdio: 'inherit' });
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
  const quietly = ['--quiet', '--disable-pip-version-check'];
  run([python, '-m', 'pip', 'install', ...quietly, '--editable', '.[dev,serve]']);
  writeFileSync(stamp, wanted);
}

const form = process.argv[2] ?? 'all';

function testPackage(): void {
  run([python, '-m', 'ruff', 'check', '.']);
  run([python, '-m', 'ruff', 'format', '--check', '.']);
  run([python, '-m', 'mypy']);
  run([python, '-m', 'pytest']);
}

function testOnCluster(): void {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/ray/vitest.config.ts'];
  run([process.execPath, ...vitest, ...(form === 'short' ? ['--tagsFilter', '!long'] : [])], root);
}

install();
if (form === 'all' || form === 'python') testPackage();
if (form === 'all' || form === 'short') testOnCluster();

// `npm run test:ray`: the checks and tests of the Python package in `ray`, with an environment of their own in `ray/.venv`.
// The environment is made once, and takes about two gigabytes; nothing else of this project needs Python.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../ray', import.meta.url));
const python = `${folder}/.venv/bin/python`;

/** Ends this program where the command fails. */
function run(...[program, ...args]: [string, ...string[]]): void {
  const { status, error } = spawnSync(program, args, { cwd: folder, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

const base = process.env.SVC_PYTHON ?? 'python3';
const version = spawnSync(base, ['-c', 'import sys; print(sys.version_info >= (3, 11))'], {
  encoding: 'utf8',
});
if (version.stdout?.trim() !== 'True') {
  console.error(`${base} is not Python 3.11 or newer. Install it, or set SVC_PYTHON to one.`);
  process.exit(1);
}
if (!existsSync(python)) {
  run(base, '-m', 'venv', '.venv');
  run(python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--editable', '.[dev]');
}
run(python, '-m', 'ruff', 'check', '.');
run(python, '-m', 'ruff', 'format', '--check', '.');
run(python, '-m', 'mypy');
run(python, '-m', 'pytest');

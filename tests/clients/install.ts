// Installs the clients into a folder, each list of packages once: what is there already is left as it is.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NODE_GUARD, NODE_HARNESS, PYTHON_GUARD, PYTHON_HARNESS, SHELL_HARNESS } from './harness.js';
import { AS_OF, NODE_PACKAGES, PYTHON_PACKAGES, UV } from './packages.js';

const run = promisify(execFile);
const INSTALL_TIMEOUT_MS = 20 * 60_000;

export async function installClients(folder: string): Promise<void> {
  await mkdir(join(folder, 'guard'), { recursive: true });
  await writeFile(join(folder, 'guard/sitecustomize.py'), PYTHON_GUARD);
  await writeFile(join(folder, 'guard/guard.mjs'), NODE_GUARD);
  await writeFile(join(folder, 'harness.py'), PYTHON_HARNESS);
  await writeFile(join(folder, 'harness.mjs'), NODE_HARNESS);
  await writeFile(join(folder, 'harness.sh'), SHELL_HARNESS);
  await once(folder, 'node', NODE_PACKAGES, installNode);
  await once(folder, 'uv', UV, installUv);
  for (const [name, packages] of Object.entries(PYTHON_PACKAGES))
    await once(folder, name, packages, async place => {
      await run(await findPython(), ['-m', 'venv', '--clear', place]);
      await uv(folder, [`--python=${join(place, 'bin/python')}`, `--exclude-newer=${AS_OF}`, ...packages]);
    });
}

/** Does it again if what it installs has changed. */
async function once<Packages>(
  folder: string,
  name: string,
  packages: Packages,
  install: (place: string, packages: Packages) => Promise<void>,
): Promise<void> {
  const [place, mark] = [join(folder, name), join(folder, `${name}.installed`)];
  const text = JSON.stringify({ packages, asOf: AS_OF });
  if (existsSync(mark) && (await readFile(mark, 'utf8')) === text) return;
  console.log(`Installing ${name}…`);
  await mkdir(place, { recursive: true });
  await install(place, packages);
  await writeFile(mark, text);
}

async function installNode(place: string, dependencies: Record<string, string>): Promise<void> {
  await writeFile(
    join(place, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  );
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `--before=${AS_OF}`];
  await run('npm', ['install', ...options], { cwd: place, timeout: INSTALL_TIMEOUT_MS });
}

async function installUv(place: string, version: string): Promise<void> {
  await run(await findPython(), ['-m', 'venv', '--clear', place]);
  await run(join(place, 'bin/python'), ['-m', 'pip', 'install', '--quiet', version]);
}

async function uv(folder: string, options: string[]): Promise<void> {
  await run(join(folder, 'uv/bin/uv'), ['pip', 'install', '--quiet', ...options], {
    env: { ...process.env, UV_CACHE_DIR: join(folder, 'uv-cache') },
    timeout: INSTALL_TIMEOUT_MS,
    maxBuffer: 1 << 26,
  });
}

/** The clients need 3.11 or newer; `SVC_PYTHON` names another. */
async function findPython(): Promise<string> {
  for (const python of [process.env.SVC_PYTHON, 'python3.11', 'python3'])
    if (python !== undefined && (await isNewEnough(python))) return python;
  throw new Error('The clients need Python 3.11 or newer. Name one with SVC_PYTHON.');
}

const isNewEnough = (python: string) =>
  run(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).then(
    () => true,
    () => false,
  );

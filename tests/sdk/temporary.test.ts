// Temporary folders: they end with their work, or else with the next one of their name.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { inTemporaryFolder } from '../../lib/sdk/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { findTestProgram } from '../support/test-program.js';

let root: string;
beforeEach(() => {
  root = temporaryFolder('svc-temporary');
  vi.stubEnv('TMPDIR', root);
});
afterEach(() => vi.unstubAllEnvs());

const NAME = 'svc-rows';
/** Whatever else keeps files there. */
const left = () =>
  readdirSync(root)
    .filter(name => name.startsWith(NAME))
    .toSorted();
const work = () => inTemporaryFolder(NAME, async folder => basename(folder));

/** A process that works in such a folder, with a file in it. */
async function startWork() {
  const program = await findTestProgram(join(import.meta.dirname, 'leave-folder.ts'));
  const child = spawn(process.execPath, [...program.execArgv, program.path, NAME], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  const folder = printed.toString().trim();
  writeFileSync(join(folder, 'rows.jsonl'), '{}\n');
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { name: basename(folder), pid: child.pid!, kill };
}

it('is removed at its end, and by the next of its name if its process was killed', async () => {
  const [killed, working] = await Promise.all([startWork(), startWork()]);
  await killed.kill();
  expect(left()).toEqual([killed.name, working.name].toSorted());
  await work();
  expect(left()).toEqual([working.name]);
});

it.runIf(process.platform === 'linux')('is told from one of a process that has its PID now', async () => {
  const { name, pid, kill } = await startWork();
  await kill();
  const reused = name.replace(`${pid}`, `${process.pid}`);
  renameSync(join(root, name), join(root, reused));
  await inTemporaryFolder(NAME, async own => {
    expect(left()).toEqual([basename(own)]);
    await work();
    expect(left()).toEqual([basename(own)]);
  });
});

it('is left if it is not known to be of a process of this user that ended', async () => {
  const { name, kill } = await startWork();
  await kill();
  const elsewhere = name.replace(/[0-9a-f]{8}(?=-\w{6}$)/, '00000000');
  renameSync(join(root, name), join(root, elsewhere));
  const others = [elsewhere, name.replace(NAME, `${NAME}-more`), `${NAME}-Ab12Cd`, `${NAME}-notes`];
  for (const each of others) mkdirSync(join(root, each), { recursive: true });
  const linked = name.replace(/\w{6}$/, 'linked');
  symlinkSync(join(root, elsewhere), join(root, linked));
  others.push(linked);
  const foreign = name.replace(/\w{6}$/, 'theirs');
  if (process.getuid?.() === 0) {
    mkdirSync(join(root, foreign));
    await chown(join(root, foreign), 12_345, 12_345);
    others.push(foreign);
  }
  await work();
  expect(left()).toEqual(others.toSorted());
  expect(lstatSync(join(root, linked)).isSymbolicLink()).toBe(true);
});

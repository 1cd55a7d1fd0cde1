// Finds the process that runs a cloud on a data folder by the lock it holds.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownFolder } from '../../../lib/cloud/disk/own-folder.js';
import { findFolderOwner } from '../../../lib/cloud/index.js';
import { findTestProgram } from '../../support/test-program.js';

let folder: string;
let holder: ChildProcess | null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-owner-'));
  holder = null;
});
afterEach(async () => {
  if (holder?.kill('SIGKILL')) await once(holder, 'exit');
  rmSync(folder, { recursive: true });
});

it('finds no owner when the lock is missing or not held', () => {
  expect(findFolderOwner(folder)).toBeNull();
  ownFolder(folder).release();
  expect(findFolderOwner(folder)).toBeNull();
  expect(findFolderOwner(join(folder, 'none'))).toBeNull();
});

it('finds the process that holds the lock, even after the file is overwritten', async () => {
  const { path, execArgv } = await findTestProgram(join(import.meta.dirname, 'hold-folder.ts'));
  const child = spawn(process.execPath, [...execArgv, path, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  holder = child;
  await once(child.stdout, 'data');
  const pid = process.platform === 'linux' ? child.pid : null;
  expect(findFolderOwner(folder)).toEqual({ pid });
  writeFileSync(join(folder, 'lock.db'), 'garbage '.repeat(300));
  expect(findFolderOwner(folder)).toEqual({ pid });
});

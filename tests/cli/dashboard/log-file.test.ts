import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openLogFile } from '../../../cli/commands/dashboard/log-file.js';

it('tells of this launch and those before, and puts a long log aside', async () => {
  const root = await mkdtemp(join(tmpdir(), 'svc-log-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const folder = join(root, 'logs');
  const path = join(folder, 'dev.log');
  openLogFile(folder, 'dev').append('first');
  openLogFile(folder, 'dev').append('second');
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  expect(lines.map(line => line.replace(/^\S+ /, '').replace(/\d+/, 'N'))).toEqual([
    'svc dev started (process N).',
    'first',
    'svc dev started (process N).',
    'second',
  ]);
  await writeFile(path, 'x'.repeat(1024 ** 2 + 1));
  openLogFile(folder, 'dev').append('third');
  expect(await readFile(path, 'utf8')).toContain('third');
  expect(await readFile(join(folder, 'dev.1.log'), 'utf8')).toMatch(/^x+$/);
});

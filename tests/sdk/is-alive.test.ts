import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { isAlive } from '../../lib/sdk/is-alive.js';
import { until } from '../support/until.js';

let parent: ReturnType<typeof spawn> | undefined;
afterEach(() => parent?.kill('SIGKILL'));

it('distinguishes a running process from one that has ended', async () => {
  parent = spawn('sleep', ['600']);
  expect(isAlive(parent.pid!)).toBe(true);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  expect(isAlive(parent.pid!)).toBe(false);
});

it.runIf(process.platform === 'linux')('reports a zombie process as not alive', async () => {
  // The shell turns into a program that never waits for its child.
  parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [told] = (await once(parent.stdout!, 'data')) as [Buffer];
  const child = Number(told);
  await until(() => readFileSync(`/proc/${parent!.pid}/comm`, 'utf8')).toBe('sleep\n');
  process.kill(child, 'SIGKILL');
  await until(() => isAlive(child)).toBe(false);
  expect(process.kill(child, 0)).toBe(true);
});

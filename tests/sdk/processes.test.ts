// Other processes: whether they run, what they are told, and when they have changed a session's files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { onStudioGone, reportJob } from '../../lib/sdk/index.js';
import { isAlive } from '../../lib/sdk/processes.js';
import { createGenerations } from '../../lib/sdk/session/session.js';
import { JOB_ID } from '../support/samples.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { startIdle } from './local-cloud/homes.js';

it('distinguishes a running process from one that has ended', async () => {
  const { pid, kill } = await startIdle();
  expect(isAlive(pid)).toBe(true);
  await kill();
  expect(isAlive(pid)).toBe(false);
});

it.runIf(process.platform === 'linux')('reports a zombie process as not alive', async () => {
  // The shell turns into a program that never waits for its child.
  const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [told] = (await once(parent.stdout, 'data')) as [Buffer];
  const child = Number(told);
  await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
  process.kill(child, 'SIGKILL');
  await until(() => isAlive(child)).toBe(false);
  expect(process.kill(child, 0)).toBe(true);
});

const own = process.send;
afterEach(() => {
  if (own) process.send = own;
  else delete process.send;
});

it('sends the job id to the parent process, and does nothing without one', () => {
  const sent: unknown[] = [];
  process.send = (message: unknown) => sent.push(message) > 0;
  reportJob(JOB_ID);
  expect(sent).toEqual([{ type: 'svc.job', jobId: JOB_ID }]);
  delete process.send;
  expect(() => reportJob(JOB_ID)).not.toThrow();
});

it('leaves the channel to the parent process as it was', () => {
  const before = process.getActiveResourcesInfo();
  onStudioGone(() => {})();
  expect(process.getActiveResourcesInfo()).toEqual(before);
});

let root: string;
let generation: () => Promise<string>;
const write = (path: string, content: object) => writeFile(join(root, path), JSON.stringify(content));

beforeEach(async () => {
  root = temporaryFolder('svc-generation');
  for (const folder of ['home/cloud', 'project/.svc']) await mkdir(join(root, folder), { recursive: true });
  generation = createGenerations(join(root, 'project'), join(root, 'home'));
});

it.each(['home/credentials.json', 'home/cloud/cloud.json', 'project/.svc/state.json'])(
  'the generation, which tells a session when to read its files again, stays the same until %s is written',
  async path => {
    const before = await generation();
    expect(await generation()).toBe(before);
    await write(path, { a: 1 });
    const written = await generation();
    expect(written).not.toBe(before);
    expect(await generation()).toBe(written);
    await write(path, { a: 22 });
    expect(await generation()).not.toBe(written);
    // Also if it has the size and the time that it had. The system's own time goes on in steps.
    const touch = () => utimes(join(root, path), 1, 1);
    await touch();
    const touched = await generation();
    await until(async () => {
      await write(path, { a: 33 });
      await touch();
      return generation();
    }).not.toBe(touched);
  },
);

it("the generation changes when the local cloud's process ends, even if its file stays the same", async () => {
  const { pid, kill } = await startIdle();
  const url = 'http://localhost:4100';
  await write('home/cloud/cloud.json', { url, port: 4100, pid, version: '1', secret: 's'.repeat(43) });
  const running = await generation();
  expect(await generation()).toBe(running);
  await kill();
  expect(await generation()).not.toBe(running);
});

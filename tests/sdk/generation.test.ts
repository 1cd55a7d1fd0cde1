// The generation, which tells a session when to reload its files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createGenerations } from '../../lib/sdk/session/generation.js';

let root: string;
let generation: () => Promise<string>;
const write = (path: string, content: object) => writeFile(join(root, path), JSON.stringify(content));

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-generation-'));
  for (const folder of ['home/cloud', 'project/.svc']) await mkdir(join(root, folder), { recursive: true });
  generation = createGenerations(join(root, 'project'), join(root, 'home'));
});
afterEach(() => rm(root, { recursive: true }));

function cloudOf(pid: number) {
  return { url: 'http://localhost:4100', port: 4100, pid, version: '1', secret: 's'.repeat(43) };
}

it('stays the same while nothing changes', async () => {
  await write('home/credentials.json', { clouds: {} });
  expect(await generation()).toBe(await generation());
});

it.each(['home/credentials.json', 'home/cloud/cloud.json', 'project/.svc/state.json'])(
  'changes when %s is created or rewritten',
  async path => {
    const before = await generation();
    await write(path, { a: 1 });
    const written = await generation();
    expect(written).not.toBe(before);
    await write(path, { a: 22 });
    expect(await generation()).not.toBe(written);
  },
);

it("changes when the local cloud's process ends, even if its file stays the same", async () => {
  const cloud = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await write('home/cloud/cloud.json', cloudOf(cloud.pid!));
  const running = await generation();
  expect(await generation()).toBe(running);
  cloud.kill('SIGKILL');
  await once(cloud, 'exit');
  expect(await generation()).not.toBe(running);
});

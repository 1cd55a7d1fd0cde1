// How long a local cloud is waited for: to answer, to start, and to stop.
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import {
  ensureLocalCloud,
  findLocalCloud,
  stopLocalCloud,
  stopOwner,
} from '../../../lib/sdk/local-cloud/index.js';
import { createHastyClock } from '../../support/hasty-clock.js';
import { startSilentServer } from '../../support/silent-server.js';
import { until } from '../../support/until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { findProcesses, type Home, openHome, startIdle } from './homes.js';

let home: Home;
beforeEach(async () => {
  home = await openHome();
  await mkdir(home.folder, { recursive: true });
});
afterEach(() => home.close());

/** Runs until it is killed, and says so when it is told to stop. */
const startStubborn = () =>
  startIdle(`process.on('SIGTERM', () => console.log('no')); setInterval(() => {}, 1000); console.log('up')`);

/** A cloud that accepts everything and answers nothing. */
async function startSilentCloud(pid: number) {
  const { url, port, close } = await startSilentServer();
  onTestFinished(close);
  const cloud = { url, port, pid, version: '1.0.0', secret: 's' };
  await home.writeFile(cloud);
  return { ...cloud, baseModel: 'm', deploymentDomain: 'd' };
}

it('one that does not answer within three seconds is none', async () => {
  await startSilentCloud(process.pid);
  const clock = createVirtualClock();
  let found: unknown = 'nobody knows';
  const finding = findLocalCloud(home.path, clock).then(cloud => (found = cloud));
  await until(() => clock.nextMs).toBe(3000);
  await clock.pass(2999);
  expect(found).toBe('nobody knows');
  await clock.pass(1);
  expect(await finding).toBeNull();
});

it('one that does not answer within five seconds is stopped with a signal, and waited for half a minute', async () => {
  const stubborn = await startStubborn();
  const cloud = await startSilentCloud(stubborn.pid);
  const clock = createVirtualClock();
  const told = once(stubborn.stdout, 'data');
  const stopping = stopLocalCloud(cloud, clock);
  await until(() => clock.nextMs).toBe(5000);
  await clock.pass(5000);
  expect(String((await told)[0])).toBe('no\n');
  await clock.pass(31_000);
  expect(await stopping).toBe(false);
  expect(stubborn.isRunning()).toBe(true);
});

it('a process that owns its folder is waited for half a minute', async () => {
  const stubborn = await startStubborn();
  const clock = createHastyClock();
  expect(await stopOwner(stubborn.pid, clock)).toBe(false);
  expect(clock.elapsed()).toBe(30_050);
});

it('one that starts and does not answer within two minutes is killed', async () => {
  const NODE_OPTIONS = '--import data:text/javascript,setInterval(()=>{},1000);await(new(Promise)(()=>{}))';
  const clock = createHastyClock();
  const starting = ensureLocalCloud({ home: home.path, env: { ...home.env, NODE_OPTIONS }, clock });
  await expect(starting).rejects.toThrow('The local cloud did not answer within 120 s.');
  expect(clock.elapsed()).toBe(120_000);
  await until(() => findProcesses(home.folder)).toEqual([]);
});

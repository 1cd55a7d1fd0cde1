// What a request or a cloud started ends with it, also while it spins: counted in processes, of a cloud that is real.
import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CloudClient, createCloudClient } from '../../lib/client/index.js';
import { callCli } from '../cli/support/terminal.js';
import { type Home, killIfThere, openHome } from '../sdk/local-cloud/homes.js';
import { tellsChildren } from '../support/child-processes.js';
import { prepareSpinning, SPINS } from '../support/spinning.js';
import { makeModelFolder } from '../support/tiny-model.js';
import { until } from '../support/until.js';
import { untilGone } from '../support/until-gone.js';

let model: string;
let home: Home;
let spinning: ReturnType<typeof prepareSpinning>;
beforeAll(async () => {
  model = await makeModelFolder();
});
beforeEach(async () => {
  home = await openHome();
  spinning = prepareSpinning();
  Object.assign(home.env, spinning.env);
});
afterEach(async () => {
  await home.close();
  // What a failed test has left would spin on.
  for (const pid of await spinning.processes()) killIfThere(pid);
  spinning.remove();
});
afterAll(() => rm(model, { recursive: true }));

const svc = async (...words: string[]) => {
  const ended = await callCli(['cloud', ...words], { env: home.env });
  expect(ended).toMatchObject({ exitCode: 0 });
};

/** The cloud's process. */
async function start(): Promise<number> {
  await svc('start', '--base-model', model);
  return (await home.readFile()).pid;
}

async function signUp(): Promise<CloudClient> {
  const { url, secret } = await home.readFile();
  const { token, personalOrg } = await createCloudClient({ baseUrl: url }).signUpAnonymously(secret);
  const client = createCloudClient({
    baseUrl: url,
    token,
    scope: { orgSlug: personalOrg.slug, projectSlug: 'one' },
  });
  await client.createProject(personalOrg.slug, { name: 'one', slug: 'one' });
  return client;
}

/** An upload, a job and a chat that spin, each in a process of its own. */
async function spinAll(): Promise<number[]> {
  const client = await signUp();
  const { baseModel } = await client.getCloud();
  const { dataset } = await client.uploadDataset('rows.jsonl', '{"text":"a"}\n');
  const datasetSource = { type: 'upload', datasetId: dataset.id } as const;
  await client.createJob({ name: 'spins', config: { model: baseModel, datasetSource } });
  void client.uploadDataset('spins.jsonl', SPINS).catch(() => {});
  const messages = [{ role: 'user', content: 'hello' }] as const;
  void client.chat({ baseModel, messages: [...messages] }).catch(() => {});
  await spinning.until(3);
  return spinning.pids();
}

describe.runIf(tellsChildren)('of work that spins', () => {
  it('nothing is left when its request is aborted', async () => {
    const cloud = await start();
    const client = await signUp();
    const stop = new AbortController();
    const upload = client.uploadDataset('spins.jsonl', SPINS, { signal: stop.signal });
    upload.catch(() => {});
    await spinning.until(1);
    stop.abort(new Error('enough'));
    await expect(upload).rejects.toThrow();
    await Promise.all((await spinning.pids()).map(untilGone));
    expect(await spinning.processes()).toEqual([cloud]);
  });

  it('nothing is left when the cloud is stopped', async () => {
    await start();
    await spinAll();
    await svc('stop');
    await until(spinning.processes).toEqual([]);
  });

  it('nothing is left when the cloud is killed, and the next one has its own', async () => {
    const cloud = await start();
    const before = await spinAll();
    process.kill(cloud, 'SIGKILL');
    await until(spinning.processes).toEqual([]);
    const next = await start();
    // The interrupted job spins again.
    await spinning.until(4);
    const [trainer] = (await spinning.pids()).filter(pid => !before.includes(pid)) as [number];
    expect((await spinning.processes()).sort()).toEqual([next, trainer].sort());
    await svc('stop');
    await until(spinning.processes).toEqual([]);
  });
});

// Chats of a real cloud, answered by replicas on a real Ray cluster, each by the adapter that was asked for.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { RayOptions } from '../../lib/cloud/host/ray-parts.js';
import { request } from '../../lib/cloud/ray/client.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { nameOf, QUESTION, trainNamedAdapter } from './support/named-adapters.js';
import { type ServingCloud, startServingCloud } from './support/serving-cloud.js';
import { NODES } from './support/shared-cluster.js';
import { mapSomeAtOnce } from './support/some-at-once.js';

/** `npm run bench -- ray-serve` asks 50 of them 1,000 times. */
const ADAPTERS = 4;
const CHATS = 60;
const AT_ONCE = 12;

const cluster = inject('cluster');
const scratch = temporaryFolder('svc-named');
let [onRay, atHome]: [ServingCloud?, ServingCloud?] = [];
const archives: Uint8Array<ArrayBuffer>[] = [];
let jobs: string[] = [];

beforeAll(async () => {
  for (let index = 0; index < ADAPTERS; index++) archives.push(await trainNamedAdapter(scratch, index));
  const { url, tokenFile, serveUrl } = cluster;
  const serve = { url: serveUrl, replicas: { min: NODES, max: NODES }, cpus: 1 };
  onRay = await startServingCloud({ ray: { url, tokenFile, serve } satisfies RayOptions });
  atHome = await startServingCloud();
  jobs = await addAll(onRay);
});

afterAll(() => Promise.all([onRay?.close(), atHome?.close()]));

async function addAll(cloud: ServingCloud): Promise<string[]> {
  const added: string[] = [];
  for (const [index, archive] of archives.entries()) added.push(await cloud.add(archive, index));
  return added;
}

interface Replica {
  state: string;
  pid: number;
}

interface Serve {
  applications: Record<string, { deployments: Record<string, { replicas: Replica[] }> }>;
}

async function readReplicas(): Promise<Replica[]> {
  const headers = { authorization: `Bearer ${await readFile(cluster.tokenFile, 'utf8')}` };
  const asked = { method: 'GET', headers, signal: AbortSignal.timeout(120_000) };
  const response = await request(`${cluster.url}/api/serve/applications/`, asked);
  const { applications } = (await response.json()) as Serve;
  return applications.svc?.deployments.engine?.replicas ?? [];
}

const countReplicas = async (wanted: string) =>
  (await readReplicas()).filter(({ state }) => state === wanted).length;

describe.sequential('chats on Ray Serve', () => {
  it('have a replica on each node', async () => {
    await until(() => countReplicas('RUNNING')).toBe(NODES);
  });

  it('come from the adapter that was asked for', async () => {
    const asked = Array.from({ length: CHATS }, (_, i) => i % ADAPTERS);
    const said = await mapSomeAtOnce(asked, AT_ONCE, index => onRay!.ask(jobs[index]!));
    expect(said).toEqual(asked.map(nameOf));
  });

  it('say what this machine says', async () => {
    const [here] = await addAll(atHome!);
    const toRequest = (jobId: string) => ({
      adapter: { kind: 'final', jobId } as const,
      messages: [{ role: 'user', content: `${QUESTION} And why?` } as const],
      temperature: 0,
      maxTokens: 12,
      stream: false as const,
    });
    const one = await atHome!.client.chat(toRequest(here!));
    const other = await onRay!.client.chat(toRequest(jobs[0]!));
    expect(other.choices).toEqual(one.choices);
    expect(other.usage).toEqual(one.usage);
  });

  it('go on when a replica dies', async () => {
    const [victim] = await readReplicas();
    const answers = jobs.concat(jobs).map(job => onRay!.ask(job).catch((error: unknown) => error));
    process.kill(victim!.pid, 'SIGKILL');
    const said = await Promise.all(answers);
    // What it had begun may fail; everything else is answered, and rightly.
    for (const [i, answer] of said.entries())
      if (!(answer instanceof Error)) expect(answer).toBe(nameOf(i % ADAPTERS));
    expect(await Promise.all(jobs.map(job => onRay!.ask(job)))).toEqual(jobs.map((_, i) => nameOf(i)));
    await until(() => countReplicas('RUNNING')).toBe(NODES);
  });

  it('leave nothing on the cluster when the cloud stops', async () => {
    const log = await onRay!.close();
    onRay = undefined;
    expect(log).toMatch(/\d+ found their adapter loaded, \d+ had it fetched/);
    await until(readReplicas).toEqual([]);
  });
});

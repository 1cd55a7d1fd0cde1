// `npm run kill-loop [-- --rounds 200 --seed 1 --locks --disk]`: kills trainer, engine, cloud, Studio and client at random
// moments (kill -9) while jobs, endpoints and keys are asked for and followed, and counts at the end what was lost, doubled
// or is not the same as in a run that nobody disturbed. `--locks`: another process locks the database for 5 ms to 7 s
// meanwhile. `--disk`: all of it lies on a small disk that is filled and freed. Linux; `--disk` needs root or namespaces.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createCloudClient } from '../../lib/client/index.js';
import type { JobConfigInput } from '../../lib/contract/index.js';
import { type Row, renderTable } from '../bench/table.js';
import { createRandom } from '../support/random.js';
import { type Chats, createChats } from './chats.js';
import { type Client, createClient } from './client.js';
import type { Reach } from './client-messages.js';
import { type Disturbance, fillDisk, lockDatabase } from './disturbances.js';
import { createHome, type Home } from './home.js';
import {
  joinVerdicts,
  judgeLog,
  judgeNames,
  judgeReader,
  type NumberedEvent,
  type Verdict,
} from './judge.js';
import { type KeptStudio, keepStudio } from './kept-studio.js';
import { descendantsOf } from './proc.js';
import { trainReference } from './reference.js';
import { onSmallDisk } from './small-disk.js';

const VICTIMS = ['trainer', 'trainer', 'cloud', 'cloud', 'client', 'client', 'studio', 'engine'] as const;
type Victim = (typeof VICTIMS)[number];

/** How long everything may take to come to its end once nobody disturbs it any more. */
const SETTLE_MS = 15 * 60_000;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    locks: { type: 'boolean', default: false },
    disk: { type: 'boolean', default: false },
  },
});
const rounds = Number(options.rounds);
const { next } = createRandom(Number(options.seed));
const killed = new Map<Victim, number>();

await (options.disk ? onSmallDisk(loop) : loop());

async function loop(disk?: string): Promise<void> {
  const began = performance.now();
  const home = await createHome({ within: disk });
  const undo: (() => unknown)[] = [() => home.end()];
  try {
    const reference = await trainReference(home);
    const { url } = await home.wake();
    const reach: Reach = { url, ...(await home.access()) };
    const client = createClient(reach);
    const studio = keepStudio(home);
    undo.push(client.end, studio.end);
    const disturbances: Disturbance[] = [
      ...(options.locks ? [lockDatabase(`${home.data}/cloud.db`)] : []),
      ...(disk === undefined ? [] : [fillDisk(disk)]),
    ];
    undo.push(...disturbances.map(({ end }) => end));
    const asked: Asked = { jobs: [], endpoints: [], keys: [] };
    const chats = createChats(() => asked.endpoints[0]!);
    await turmoil({ home, reach, client, studio, chats, asked }, reference.config);
    for (const { end } of disturbances) await end();
    await home.wake();
    const verdict = await judge(reach, client, asked, reference.log);
    await settle('every chat', chats.open);
    verdict.wrong.push(...chats.wrong);
    report({ asked, client, chats, verdict, seconds: (performance.now() - began) / 1000 });
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

interface Asked {
  jobs: string[];
  endpoints: string[];
  keys: string[];
}

interface Turmoil {
  home: Home;
  reach: Reach;
  client: Client;
  studio: KeptStudio;
  chats: Chats;
  asked: Asked;
}

async function turmoil(parts: Turmoil, config: JobConfigInput): Promise<void> {
  const { client, asked } = parts;
  for (let round = 1; round <= rounds; round++) {
    ask(client, asked, round, config);
    await sleep(100 + next() * 1900);
    followNew(client, asked);
    await kill(VICTIMS[Math.floor(next() * VICTIMS.length)]!, parts);
    if (round % 10 === 0) console.log(`round ${round} of ${rounds}: ${client.open().length} answers to come`);
  }
}

function ask(client: Client, asked: Asked, round: number, config: JobConfigInput): void {
  const name = `round-${round}`;
  const deploymentId = client.answers.get(asked.endpoints[0] ?? '')?.id;
  if (round % 4 === 1) {
    asked.jobs.push(`job-${name}`);
    client.do({ kind: 'job', name: `job-${name}`, config });
  } else if (round % 4 === 2) {
    asked.endpoints.push(`endpoint-${name}`);
    client.do({ kind: 'endpoint', name: `endpoint-${name}`, baseModel: config.model });
  } else if (deploymentId !== undefined) {
    asked.keys.push(`key-${name}`);
    client.do({ kind: 'key', name: `key-${name}`, deploymentId });
  }
}

function followNew(client: Client, { jobs }: Asked): void {
  for (const name of jobs) {
    const id = client.answers.get(name)?.id;
    if (id !== undefined && !client.read.has(id)) client.follow(id);
  }
}

async function kill(victim: Victim, { home, reach, client, studio, chats, asked }: Turmoil): Promise<void> {
  const cloud = await home.cloud();
  if (victim === 'client') client.kill();
  else if (victim === 'studio') {
    if (!studio.kill()) return;
  } else if (!cloud) return void (await home.wake());
  else if (victim === 'cloud') {
    process.kill(cloud.pid, 'SIGKILL');
    await sleep(next() * 500);
    await home.wake();
  } else {
    const key = client.answers.get(asked.keys[0] ?? '')?.plaintext;
    if (victim === 'engine' && key !== undefined) {
      chats.begin(reach.url, key);
      await sleep(next() * 1500);
    }
    const worker = descendantsOf(cloud.pid).find(
      ({ command, nice }) => command.includes('/worker.') && nice > 0 === (victim === 'trainer'),
    );
    if (!worker) return;
    process.kill(worker.pid, 'SIGKILL');
  }
  killed.set(victim, (killed.get(victim) ?? 0) + 1);
}

async function judge(
  reach: Reach,
  client: Client,
  asked: Asked,
  reference: NumberedEvent[],
): Promise<Verdict> {
  const cloud = createCloudClient({ baseUrl: reach.url, token: reach.token, scope: reach.scope });
  await settle('every answer', () => client.open());
  followNew(client, asked);
  const list = async () => (await cloud.listJobs()).jobs;
  await settle('every job', async () =>
    (await list())
      .filter(({ status }) => status === 'queued' || status === 'running')
      .map(({ name, status }) => `${name}: ${status}`),
  );
  const jobs = (await list()).filter(({ name }) => name.startsWith('job-'));
  const verdicts = [
    judgeNames(
      'job',
      asked.jobs,
      jobs.map(({ name }) => name),
    ),
    judgeNames(
      'endpoint',
      asked.endpoints,
      (await cloud.listDeployments()).deployments.map(({ slug }) => slug),
    ),
    ...(await judgeKeys(reach, client, asked)),
  ];
  for (const job of jobs) {
    const log: NumberedEvent[] = [];
    for await (const { id, data } of cloud.streamJobEvents(job.id))
      log.push({ seq: Number(id), event: JSON.parse(data) });
    await settle(`the reader of ${job.name}`, () =>
      (client.read.get(job.id)?.length ?? 0) < log.length ? [job.id] : [],
    );
    verdicts.push(judgeLog(job, log, reference), judgeReader(job.id, client.read.get(job.id) ?? [], log));
  }
  return joinVerdicts(verdicts);
}

/** One enabled key for each that was asked for, and it is the one that the caller was given. */
async function judgeKeys(reach: Reach, client: Client, asked: Asked): Promise<Verdict[]> {
  const [slug = ''] = asked.endpoints;
  const deploymentId = client.answers.get(slug)?.id;
  if (deploymentId === undefined) return [];
  const cloud = createCloudClient({ baseUrl: reach.url, token: reach.token, scope: reach.scope });
  const { keys } = await cloud.listDeploymentKeys(deploymentId);
  const enabled = keys.filter(each => each.enabled);
  const wrong: string[] = [];
  for (const name of asked.keys) {
    const status = await callEdge(reach.url, slug, client.answers.get(name)?.plaintext ?? '');
    if (status !== 200) wrong.push(`key ${name} is answered with ${status}`);
  }
  return [
    judgeNames(
      'key',
      asked.keys,
      enabled.map(({ label }) => label),
    ),
    { lost: [], doubled: [], wrong },
  ];
}

async function callEdge(url: string, slug: string, key: string): Promise<number> {
  const response = await fetch(`${url}/d/${slug}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Waits until nothing is left; what then still is, is told. */
async function settle(what: string, read: () => string[] | Promise<string[]>): Promise<void> {
  for (const until = performance.now() + SETTLE_MS; ; await sleep(250)) {
    const left = await read();
    if (left.length === 0) return;
    if (performance.now() > until) throw new Error(`${what} did not come:\n${left.join('\n')}`);
  }
}

function report({
  asked,
  client,
  chats,
  verdict,
  seconds,
}: {
  asked: Asked;
  client: Client;
  chats: Chats;
  verdict: Verdict;
  seconds: number;
}): void {
  const events = [...client.read.values()].reduce((sum, seen) => sum + seen.length, 0);
  const row: Row = {
    rounds,
    ...Object.fromEntries([...killed].map(([victim, times]) => [`${victim} killed`, times])),
    jobs: asked.jobs.length,
    endpoints: asked.endpoints.length,
    keys: asked.keys.length,
    chats: chats.begun,
    'events read': events,
    lost: verdict.lost.length,
    doubled: verdict.doubled.length,
    wrong: verdict.wrong.length,
    seconds: Math.round(seconds),
  };
  console.log(renderTable([row]));
  for (const [kind, found] of Object.entries(verdict))
    for (const each of found as string[]) console.log(`${kind}: ${each}`);
  if (verdict.lost.length + verdict.doubled.length + verdict.wrong.length > 0) process.exitCode = 1;
}

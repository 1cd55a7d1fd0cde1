// The cloud under many readers, long lists and many events; and what its edge costs over the bare engine. A minute of
// 1,000 streams at 100 events a second, and lists of up to 100,000 jobs, unless SVC_BENCH_SECONDS, SVC_BENCH_READERS and
// SVC_BENCH_JOBS say otherwise.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baseModelFolder } from '../../lib/base-model/index.js';
import { hashToken } from '../../lib/cloud/auth/token.js';
import { openDb } from '../../lib/cloud/store/db.js';
import { startServing } from '../../lib/engine/index.js';
import { ask, next, type Server, start, startJob, until, withServer } from './cloud/with-server.js';
import type { Row } from './table.js';

export const name = 'the cloud';

const SECONDS = Number(process.env.SVC_BENCH_SECONDS ?? 60);
const READERS = Number(process.env.SVC_BENCH_READERS ?? 1000);
const RATE = 100;
const APPENDED = 20_000;
/** Of a job that writes a lot, while the delay of the event loop is measured. */
const BUSY_RATE = 500;
const BUSY_SECONDS = Math.min(SECONDS, 10);
const LONGEST_LIST = Number(process.env.SVC_BENCH_JOBS ?? 100_000);
const LISTS = [100, 10_000, 100_000].filter(count => count <= LONGEST_LIST);
const CHATS = 20;

export async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-cloud-bench-'));
  try {
    return [
      ...(await withServer(folder, measureEvents)),
      ...(await measureLists(folder)),
      ...(await withServer(folder, measureEdge)),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureEvents({ url, child, token, client }: Server): Promise<Row[]> {
  const appended = await startJob(client);
  const began = performance.now();
  await ask(child, { type: 'talk', jobId: appended, events: APPENDED, rate: 0 });
  await until(async () => (await client.getJob(appended)).job.step === APPENDED);
  const appendingMs = performance.now() - began;
  const busy = { events: BUSY_RATE * BUSY_SECONDS, rate: BUSY_RATE };
  const { delay } = await ask(child, { type: 'talk', jobId: appended, ...busy });
  await client.cancelJob(appended);

  const followed = await startJob(client);
  const scope = new URL(`${url}/v1/jobs/${followed}/events/stream`);
  const { orgs } = await client.getMe();
  scope.search = new URLSearchParams({ orgSlug: orgs[0]!.slug, projectSlug: 'bench' }).toString();
  const events = SECONDS * RATE;
  const readers = await start('readers.ts', [scope.href, token, String(READERS), String(events)]);
  await next(readers, 'connected');
  const [{ rss, cpuMs }, seen] = await Promise.all([
    ask(child, { type: 'talk', jobId: followed, events, rate: RATE }),
    next<{ received: number; wrong: number; p50: number; p99: number; cpuMs: number }>(readers, 'done'),
  ]);
  return [
    { what: 'events appended a second', value: Math.round(APPENDED / (appendingMs / 1000)) },
    { what: `event loop delay p99 while a job writes ${BUSY_RATE} events a second, ms`, value: delay.p99 },
    { what: '… the longest', value: delay.max },
    {
      what: `${READERS} readers, ${events} events each: lost or out of order`,
      value: READERS * events - seen.received + seen.wrong,
    },
    { what: 'delivery p50, ms', value: seen.p50 },
    { what: 'delivery p99, ms', value: seen.p99 },
    { what: 'memory of the cloud, MB', value: Math.round(rss / 1e6) },
    { what: 'cores that the cloud took', value: cpuMs / 1000 / SECONDS },
    { what: 'cores that the readers took', value: seen.cpuMs / 1000 / SECONDS },
  ];
}

async function measureLists(folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  let there = 0;
  for (const count of LISTS) {
    await addJobs(join(folder, 'cloud.db'), there, count);
    there = count;
    rows.push(
      ...(await withServer(folder, async ({ url }) => {
        const { token, ...scope } = OWNER;
        const list = () =>
          fetch(`${url}/v1/jobs?${new URLSearchParams(scope)}`, {
            headers: { authorization: `Bearer ${token}` },
          }).then(response => response.arrayBuffer());
        const { byteLength } = await list();
        return [
          { what: `GET /v1/jobs of ${count} jobs, requests a second`, value: await perSecond(list) },
          { what: `… bytes`, value: byteLength },
        ];
      })),
    );
  }
  return rows;
}

const OWNER = { token: 'svc_anon_bench'.padEnd(52, 'x'), orgSlug: 'bench-owner', projectSlug: 'listed' };

/** Finished jobs, written past the API, which would take hours. */
async function addJobs(file: string, from: number, to: number): Promise<void> {
  const db = await openDb(file);
  const at = new Date().toISOString();
  if (from === 0) {
    const identity = {
      id: 'owner',
      mode: 'anonymous',
      subject: 'owner',
      issuer: '',
      email: null,
      created_at: at,
    } as const;
    await db
      .insertInto('identities')
      .values({ ...identity, token_hash: hashToken(OWNER.token) })
      .execute();
    await db
      .insertInto('orgs')
      .values({ id: 'owner', slug: OWNER.orgSlug, name: 'o', created_at: at })
      .execute();
    await db.insertInto('memberships').values({ identity_id: 'owner', org_id: 'owner' }).execute();
    await db
      .insertInto('projects')
      .values({ id: 'listed', org_id: 'owner', slug: OWNER.projectSlug, name: 'l', created_at: at })
      .execute();
  }
  await db.transaction().execute(async transaction => {
    for (let i = from; i < to; i++) {
      await transaction
        .insertInto('jobs')
        .values({
          id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
          number: 1_000_000 + i,
          org_id: 'owner',
          project_id: 'listed',
          name: `job ${i}`,
          trainer: 'listed',
          tags: '[]',
          status: 'completed',
          config: '{}',
          error: null,
          created_at: at,
          started_at: at,
          completed_at: at,
          step: 10,
          total_steps: 10,
          artifact_count: 1,
          attempt: 1,
          last_seq: 0,
        })
        .execute();
    }
  });
  await db.destroy();
}

/** The same chats, one after the other, by the engine alone and through a published endpoint. */
async function measureEdge({ client }: Server): Promise<Row[]> {
  const target = { kind: 'base_model', baseModel: 'bench' } as const;
  const { deployment } = await client.createDeployment({ slug: 'bench', target, authMode: 'none' });
  const body = { messages: [{ role: 'user', content: 'Hello!' }], max_tokens: 16, temperature: 0 };
  const byEdge = async () => {
    const headers = { 'content-type': 'application/json' };
    const url = `${deployment.pathUrl}/v1/chat/completions`;
    await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const serving = startServing({ modelFolder: baseModelFolder() });
  const byEngine = async () => {
    const task = { messages: body.messages, adapterFolder: null, maxTokens: 16, temperature: 0 };
    for await (const _ of serving.ask('chat', task)) void _;
  };
  const [edge, engine] = [await meanMs(byEdge), await meanMs(byEngine)];
  await serving.close();
  return [
    { what: 'a chat through the edge, ms', value: edge },
    { what: 'the same by the engine alone, ms', value: engine },
  ];
}

async function meanMs(act: () => Promise<unknown>): Promise<number> {
  await act();
  const began = performance.now();
  for (let i = 0; i < CHATS; i++) await act();
  return (performance.now() - began) / CHATS;
}

async function perSecond(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  let count = 0;
  while (performance.now() - began < 3000) {
    await act();
    count++;
  }
  return count / ((performance.now() - began) / 1000);
}

// Chats over many adapters on replicas of a Ray cluster, against one local engine. Trains the adapters first, each to say
// its own name. 1,000 chats over 50 adapters on three replicas, 12 at a time, unless SVC_BENCH_CHATS and
// SVC_BENCH_ADAPTERS say otherwise; SVC_BENCH_KEPT names a folder that keeps the trained adapters for the next run. Needs
// `ray/.venv`, which `npm run test:ray` makes.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../../lib/engine/random.js';
import { startCluster } from '../ray/support/cluster.js';
import { nameOf, trainNamedAdapter } from '../ray/support/named-adapters.js';
import { type ServingCloud, startServingCloud } from '../ray/support/serving-cloud.js';
import { mapSomeAtOnce } from '../ray/support/some-at-once.js';
import { findFreePort } from '../support/free-port.js';
import type { Row } from './table.js';

export const name = 'chats on Ray Serve';

const CHATS = Number(process.env.SVC_BENCH_CHATS ?? 1000);
const ADAPTERS = Number(process.env.SVC_BENCH_ADAPTERS ?? 50);
const KEPT = process.env.SVC_BENCH_KEPT;
const REPLICAS = 3;
const AT_ONCE = 12;

export async function run(): Promise<Row[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'svc-ray-bench-'));
  const archives: Uint8Array<ArrayBuffer>[] = [];
  for (let index = 0; index < ADAPTERS; index++) archives.push(await makeAdapter(scratch, index));
  try {
    const rows = [await measure('one local engine', await startServingCloud(), archives)];
    const cluster = await startCluster(Array.from({ length: REPLICAS }, () => 1));
    try {
      const { url, tokenFile } = cluster;
      const replicas = { min: REPLICAS, max: REPLICAS };
      const serve = { url: `http://127.0.0.1:${await findFreePort()}`, replicas, cpus: 1 };
      const cloud = await startServingCloud({ ray: { url, tokenFile, serve } });
      rows.push(await measure(`${REPLICAS} replicas on Ray`, cloud, archives));
    } finally {
      await cluster.close();
    }
    return rows;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function makeAdapter(scratch: string, index: number): Promise<Uint8Array<ArrayBuffer>> {
  const path = KEPT === undefined ? null : join(KEPT, `${index}.tar`);
  if (path !== null && existsSync(path)) return new Uint8Array(await readFile(path));
  const archive = await trainNamedAdapter(scratch, index);
  if (path !== null) await writeFile(path, archive);
  return archive;
}

async function measure(
  where: string,
  cloud: ServingCloud,
  archives: readonly Uint8Array<ArrayBuffer>[],
): Promise<Row> {
  try {
    const jobs: string[] = [];
    for (const [index, archive] of archives.entries()) jobs.push(await cloud.add(archive, index));
    await untilAnswers(cloud, jobs[0]!);
    const times: number[] = [];
    // The same order of adapters each time.
    const { next: draw } = createRandom(1);
    const asked = Array.from({ length: CHATS }, () => Math.floor(draw() * jobs.length));
    const begun = performance.now();
    const said = await mapSomeAtOnce(asked, AT_ONCE, async index => {
      const at = performance.now();
      const answer = await cloud.ask(jobs[index]!);
      times.push(performance.now() - at);
      return answer;
    });
    const wrong = said.filter((answer, i) => answer !== nameOf(asked[i]!)).length;
    const seconds = (performance.now() - begun) / 1000;
    times.sort((a, b) => a - b);
    const at = (share: number) =>
      Math.round(times[Math.min(times.length - 1, Math.floor(share * times.length))]!);
    const found = readFound(await cloud.close());
    return {
      where,
      chats: CHATS,
      adapters: jobs.length,
      wrong,
      'p50 ms': at(0.5),
      'p99 ms': at(0.99),
      'chats/s': Number((CHATS / seconds).toFixed(1)),
      'found loaded': found,
    };
  } catch (error) {
    await cloud.close();
    throw error;
  }
}

/** Of the chats that a cluster answered, those for whose adapter no replica had to ask the cloud. */
function readFound(log: string): string {
  const [, loaded, fetched] = /(\d+) found their adapter loaded, (\d+) had it fetched/.exec(log) ?? [];
  if (loaded === undefined) return '-';
  return `${((100 * Number(loaded)) / (Number(loaded) + Number(fetched))).toFixed(1)} %`;
}

async function untilAnswers(cloud: ServingCloud, job: string): Promise<void> {
  for (;;) {
    const said = await cloud.ask(job).catch(() => null);
    if (said !== null) return;
  }
}

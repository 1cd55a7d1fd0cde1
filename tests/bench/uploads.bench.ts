// How long requests wait for the cloud while a file of 2 GB comes in from another process, as `svc start` sends it, and is
// counted, and a job writes 500 events a second; beside it, the same without an upload. SVC_BENCH_UPLOAD_BYTES says how
// large the file is.
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../lib/console/chart/statistics.js';
import type { Measured } from './cloud/server.js';
import type { Uploaded } from './cloud/upload-client.js';
import { ask, next, type Server, start, startJob, withServer } from './cloud/with-server.js';
import type { Row } from './table.js';

export const name = 'the cloud during an upload';

const BYTES = Number(process.env.SVC_BENCH_UPLOAD_BYTES ?? 2e9);
const RATE = 500;
const SLICE_SECONDS = 2;
const QUIET_SLICES = 5;
const ASK_EVERY_MS = 20;

export async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-uploads-bench-'));
  try {
    const path = join(folder, 'rows.jsonl');
    await writeRows(path);
    const data = join(folder, 'cloud');
    await mkdir(data);
    return await withServer(data, server => measure(server, path));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measure(server: Server, path: string): Promise<Row[]> {
  const jobId = await startJob(server.client);
  let slices = 0;
  const quiet = await talkWhile(server, jobId, () => slices++ < QUIET_SLICES);
  let uploaded: Uploaded | null = null;
  const uploading = upload(server, path).then(done => {
    uploaded = done;
  });
  const loaded = await talkWhile(server, jobId, () => uploaded === null);
  await uploading;
  const { sentMs, ms, memory } = uploaded! as Uploaded;
  return [
    toRow('events alone', quiet),
    {
      ...toRow('events and an upload', loaded),
      'client MB': Math.round(memory / 1e6),
      GB: BYTES / 1e9,
      'sent s': sentMs / 1000,
      s: ms / 1000,
    },
  ];
}

interface Load {
  slices: Measured[];
  /** How long each request took. */
  requests: number[];
}

/** Has the job write events, slice after slice, as long as it shall, and asks for the jobs meanwhile. */
async function talkWhile({ child, client }: Server, jobId: string, goesOn: () => boolean): Promise<Load> {
  const load: Load = { slices: [], requests: [] };
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const began = performance.now();
      await client.getJob(jobId);
      load.requests.push(performance.now() - began);
      await sleep(ASK_EVERY_MS);
    }
  })();
  while (goesOn())
    load.slices.push(await ask(child, { type: 'talk', jobId, events: RATE * SLICE_SECONDS, rate: RATE }));
  isOver = true;
  await asking;
  return load;
}

async function upload({ url, token, scope }: Server, path: string): Promise<Uploaded> {
  const client = await start('upload-client.ts', [url, token, JSON.stringify(scope), path]);
  return next<Uploaded>(client, 'uploaded');
}

async function writeRows(path: string): Promise<void> {
  const row = `${JSON.stringify({ prompt: 'What is it? '.repeat(8), completion: 'It is what it is. '.repeat(6) })}\n`;
  const chunk = Buffer.from(row.repeat(Math.ceil((256 * 1024) / row.length)));
  function* chunks() {
    for (let sent = 0; sent < BYTES; sent += chunk.length) yield chunk;
  }
  await pipeline(Readable.from(chunks()), createWriteStream(path));
}

/** The worst of all slices, and of all requests but one in a hundred. */
function toRow(what: string, { slices, requests }: Load): Row {
  const worst = (pick: (one: Measured) => number) => Math.max(...slices.map(pick));
  return {
    what,
    'loop p50 ms': worst(({ delay }) => delay.p50),
    'loop p99 ms': worst(({ delay }) => delay.p99),
    'loop max ms': worst(({ delay }) => delay.max),
    'request p99 ms': percentile(
      requests.toSorted((a, b) => a - b),
      99,
    ),
    'cloud MB': Math.round(worst(({ rss }) => rss) / 1e6),
  };
}

// How long requests wait for the cloud's event loop while a data set of 2 GB comes in and is counted, and a job writes 500
// events a second; beside it, the same without an upload. SVC_BENCH_UPLOAD_BYTES says how much comes in.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CloudClient } from '../../lib/client/index.js';
import type { Measured } from './cloud/server.js';
import { ask, type Server, startJob, withServer } from './cloud/with-server.js';
import type { Row } from './table.js';

export const name = 'the event loop of the cloud during an upload';

const BYTES = Number(process.env.SVC_BENCH_UPLOAD_BYTES ?? 2e9);
const RATE = 500;
const SLICE_SECONDS = 2;
const QUIET_SLICES = 5;

export async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-uploads-bench-'));
  try {
    return await withServer(folder, measure);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measure(server: Server): Promise<Row[]> {
  const jobId = await startJob(server.client);
  let slices = 0;
  const quiet = await talkWhile(server, jobId, () => slices++ < QUIET_SLICES);
  const began = performance.now();
  let sentMs = 0;
  let rows: number | null = null;
  const uploading = upload(server.client, () => {
    sentMs = performance.now() - began;
  }).then(counted => {
    rows = counted;
  });
  const loaded = await talkWhile(server, jobId, () => rows === null);
  await uploading;
  const seconds = (performance.now() - began) / 1000;
  return [
    toRow('events alone', quiet),
    {
      ...toRow('events and an upload', loaded),
      GB: BYTES / 1e9,
      rows: rows!,
      'sent s': sentMs / 1000,
      s: seconds,
    },
  ];
}

/** Has the job write events, slice after slice, as long as it shall. */
async function talkWhile({ child }: Server, jobId: string, goesOn: () => boolean): Promise<Measured[]> {
  const measured: Measured[] = [];
  while (goesOn())
    measured.push(await ask(child, { type: 'talk', jobId, events: RATE * SLICE_SECONDS, rate: RATE }));
  return measured;
}

async function upload(client: CloudClient, onSent: () => void): Promise<number> {
  const row = `${JSON.stringify({ prompt: 'What is it? '.repeat(8), completion: 'It is what it is. '.repeat(6) })}\n`;
  const chunk = Buffer.from(row.repeat(Math.ceil((256 * 1024) / row.length)));
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= BYTES) {
        onSent();
        return controller.close();
      }
      sent += chunk.length;
      controller.enqueue(new Uint8Array(chunk));
    },
  });
  return (await client.uploadDataset('rows.jsonl', body)).dataset.rows;
}

/** The worst of all slices. */
function toRow(what: string, measured: readonly Measured[]): Row {
  const worst = (pick: (one: Measured) => number) => Math.max(...measured.map(pick));
  return {
    what,
    'p50 ms': worst(({ delay }) => delay.p50),
    'p99 ms': worst(({ delay }) => delay.p99),
    'max ms': worst(({ delay }) => delay.max),
    'memory MB': Math.round(worst(({ rss }) => rss) / 1e6),
  };
}

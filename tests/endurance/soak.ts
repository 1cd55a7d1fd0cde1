// `npm run soak [-- --minutes 10 --seed 1]`: a cloud and a Studio under everything at once for as long as one likes: jobs
// that train, chats of which half are broken off in mid-stream, readers of events that come and go, trainers and engines
// that are killed. Prints memory, handles and processes over time, and fails when one of them grows. Linux.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createCloudClient } from '../../lib/client/index.js';
import { realClock, within } from '../../lib/clock/index.js';
import { type Row, renderTable } from '../bench/table.js';
import { createRandom } from '../support/random.js';
import { measureGrowth } from './flatness.js';
import { createHome, type Home } from './home.js';
import { keepStudio } from './kept-studio.js';
import { descendantsOf, factsOf } from './proc.js';
import { trainReference } from './reference.js';

const CHATTERS = 4;
const READERS = 20;
const SAMPLE_MS = 2000;
const KILL_EVERY_MS = 20_000;
/** A chat or a reader that has not ended by then never will. */
const STUCK_MS = 120_000;

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
});
const { next } = createRandom(Number(options.seed));
let until = Number.POSITIVE_INFINITY;
const isOver = () => performance.now() > until;
const counts = { jobs: 0, chats: 0, 'broken off': 0, 'events read': 0, killed: 0, refused: 0, stuck: 0 };

interface Sample {
  'cloud MB': number;
  'cloud handles': number;
  processes: number;
  'studio MB': number;
  'studio handles': number;
}

const ALLOWED = {
  'cloud MB': { share: 0.15, atLeast: 20 },
  'cloud handles': { share: 0, atLeast: 12 },
  processes: { share: 0, atLeast: 1 },
  'studio MB': { share: 0.15, atLeast: 20 },
  'studio handles': { share: 0, atLeast: 12 },
} as const;

const home = await createHome();
const studio = keepStudio(home);
try {
  const { config } = await trainReference(home);
  const { url } = await home.wake();
  const access = await home.access();
  const cloud = createCloudClient({ baseUrl: url, ...access });
  await cloud.createDeployment({
    slug: 'soak',
    target: { kind: 'base_model', baseModel: config.model },
    authMode: 'none',
  });
  const samples: Sample[] = [];
  until = performance.now() + Number(options.minutes) * 60_000;
  await Promise.all([
    sampleOn(samples),
    trainOn(),
    killOn(),
    pollStudio(),
    ...Array.from({ length: CHATTERS }, chatOn),
    ...Array.from({ length: READERS }, readOn),
  ]);
  report(samples);

  async function trainOn(): Promise<void> {
    while (!isOver()) {
      const { jobs } = await cloud.listJobs();
      if (jobs.filter(({ status }) => status === 'queued').length < 2)
        await cloud.createJob({ name: `soak-${++counts.jobs}`, config });
      await sleep(500);
    }
  }

  async function chatOn(): Promise<void> {
    while (!isOver()) {
      try {
        await within(chat(), STUCK_MS, () => void counts.stuck++, realClock);
      } catch {
        counts.refused++;
        await sleep(100);
      }
    }
  }

  async function chat(): Promise<void> {
    const patience = next() < 0.5 ? Math.ceil(next() * 20) : Number.POSITIVE_INFINITY;
    const response = await fetch(`${url}/d/soak/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        messages: [{ role: 'user', content: 'x'.repeat(1 + next() * 40) }],
        max_tokens: 64,
        stream: true,
      }),
    });
    if (response.status !== 200) counts.refused++;
    let chunks = 0;
    for await (const _ of response.body!) {
      if (++chunks <= patience) continue;
      counts['broken off']++;
      // Leaving the loop closes the connection. Aborting the request instead left this loop waiting forever on Node 20.
      return;
    }
    counts.chats++;
  }

  async function readOn(): Promise<void> {
    while (!isOver()) {
      const { jobs } = await cloud.listJobs();
      const job = jobs[Math.floor(next() * Math.min(3, jobs.length))]!;
      const signal = AbortSignal.timeout(Math.round(100 + next() * 3000));
      try {
        for await (const _ of cloud.streamJobEvents(job.id, { signal })) counts['events read']++;
      } catch {
        await sleep(50);
      }
    }
  }

  async function pollStudio(): Promise<void> {
    while (!isOver()) {
      const file = await home.studio();
      if (file) {
        const headers = { 'x-svc-studio-token': file.token };
        await fetch(`${file.url}/api/jobs`, { headers }).then(response => response.arrayBuffer());
      }
      await sleep(1000);
    }
  }
} finally {
  studio.end();
  await home.end();
}

async function killOn(): Promise<void> {
  while (!isOver()) {
    await sleep(Math.min(KILL_EVERY_MS * (0.5 + next()), Math.max(0, until - performance.now())));
    const living = await home.cloud();
    const workers = living ? descendantsOf(living.pid) : [];
    const victim = workers[Math.floor(next() * workers.length)];
    if (!victim || isOver()) continue;
    process.kill(victim.pid, 'SIGKILL');
    counts.killed++;
  }
}

async function sampleOn(samples: Sample[]): Promise<void> {
  while (!isOver()) {
    const sample = await takeSample(home);
    if (sample) samples.push(sample);
    await sleep(SAMPLE_MS);
  }
}

async function takeSample({ cloud, studio: readStudio }: Home): Promise<Sample | null> {
  const [serving, shown] = [await cloud(), await readStudio()];
  const [one, other] = [serving && factsOf(serving.pid), shown && factsOf(shown.pid)];
  if (!serving || !one || !other) return null;
  return {
    'cloud MB': one.rssMb,
    'cloud handles': one.handles,
    processes: descendantsOf(serving.pid).length,
    'studio MB': other.rssMb,
    'studio handles': other.handles,
  };
}

function report(samples: readonly Sample[]): void {
  const perRow = Math.max(1, Math.round(60_000 / SAMPLE_MS));
  const rows: Row[] = samples
    .filter((_, i) => i % perRow === 0)
    .map((sample, minute) => ({ minute, ...roundAll(sample) }));
  console.log(renderTable(rows));
  console.log(renderTable([counts]));
  if (counts.stuck > 0) process.exitCode = 1;
  for (const [figure, allowance] of Object.entries(ALLOWED)) {
    const { before, after, isFlat } = measureGrowth(
      samples.map(sample => sample[figure as keyof Sample]),
      allowance,
    );
    console.log(`${figure}: ${before.toFixed(0)} → ${after.toFixed(0)}, ${isFlat ? 'flat' : 'GROWS'}`);
    if (!isFlat) process.exitCode = 1;
  }
}

function roundAll(sample: Sample): Row {
  return Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, Math.round(value)]));
}

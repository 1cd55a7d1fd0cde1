// Large data sets: how long it takes to the first step of a run, and how much memory the run has had by then, rows of a
// chat in JSON lines and short texts. SVC_BENCH_ROWS=100000 has so many of each.
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { baseModelFolder } from '../../lib/base-model/index.js';
import { startTraining } from '../../lib/engine/index.js';
import { createRandom } from '../support/random.js';
import { trainOptions } from '../support/train-options.js';
import type { Row } from './table.js';

export const name = 'the first step of a run on many rows';

const STEPS = 5;
const words =
  'refund order parcel invoice address change cancel delay account password delivery return'.split(' ');
const { next } = createRandom(1);
const text = (count: number) =>
  Array.from({ length: count }, () => words[Math.floor(next() * words.length)]).join(' ');

const KINDS = [
  {
    kind: 'chats',
    count: 660_000,
    row: (i: number) => ({
      messages: [
        { role: 'system', content: 'Sort the ticket into one of three queues.' },
        { role: 'user', content: `Ticket ${i}: ${text(14)}` },
        { role: 'assistant', content: text(5) },
      ],
    }),
  },
  { kind: 'short texts', count: 8_000_000, row: (i: number) => ({ text: `${i} ${text(3)}` }) },
];

export async function run(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { kind, count, row } of KINDS) {
    const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
    try {
      const asked = Number(process.env.SVC_BENCH_ROWS ?? count);
      const path = join(folder, 'rows.jsonl');
      await pipeline(Readable.from(linesOf(asked, row)), createWriteStream(path));
      rows.push({ rows: `${asked} ${kind}`, ...(await measure(folder, path)) });
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  return rows;
}

function* linesOf(count: number, row: (i: number) => object): Generator<string> {
  for (let i = 0; i < count; ) {
    const lines: string[] = [];
    for (let n = 0; n < 1000 && i < count; n++, i++) lines.push(`${JSON.stringify(row(i))}\n`);
    yield lines.join('');
  }
}

async function measure(folder: string, path: string): Promise<Row> {
  const began = performance.now();
  const seconds = () => ((performance.now() - began) / 1000).toFixed(1);
  const figures: Row = {};
  const request = {
    modelFolder: baseModelFolder(),
    modelName: 'base',
    source: { type: 'file', path } as const,
    trainOn: 'assistant' as const,
    options: trainOptions({ maxSteps: STEPS }),
    folder: join(folder, 'out'),
    cacheFolder: folder,
  };
  const training = startTraining({ jobId: 'bench', request }, event => {
    figures['first word s'] ??= seconds();
    if (event.type === 'training.started') figures['started s'] = seconds();
    if (event.type === 'training.log') figures['first step s'] ??= seconds();
    figures['peak MB'] = peakOf(training.pid) ?? figures['peak MB'] ?? 'unknown';
  });
  const { status } = await training.ended;
  return { ...figures, status };
}

/** The most memory that a process has had, where the system tells. */
function peakOf(pid: number): number | null {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1000);
  } catch {
    return null;
  }
}

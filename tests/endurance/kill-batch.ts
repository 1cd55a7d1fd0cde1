// `npm run kill-batch [-- --requests 1000 --kills 3]`: kills the cloud (kill -9) while it answers a batch, starts it again,
// and looks in the batch's files at the end whether each request was answered once.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import OpenAI from 'openai';
import type { Batch } from 'openai/resources/batches';
import { renderTable } from '../bench/table.js';
import { createHome, type Home } from './home.js';
import { judgeNames } from './judge.js';
import { mustSucceed } from './reference.js';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '3' },
  },
});
const [requests, kills] = [Number(options.requests), Number(options.kills)];

const ENDPOINT = '/v1/chat/completions';
const ENDED: readonly string[] = ['completed', 'failed', 'expired', 'cancelled'];
/** Between two looks at the batch, which must not end unseen. */
const LOOK_MS = 20;
const MOST_MS = 15 * 60_000;

const home = await createHome();
try {
  await killAndJudge(home);
} finally {
  await home.end();
}

async function killAndJudge(home: Home): Promise<void> {
  const began = performance.now();
  const openai = await connect(home);
  const names = Array.from({ length: requests }, (_, i) => `request-${i}`);
  const { id } = await createBatch(openai, names);
  const answeredAtKills: number[] = [];
  for (let kill = 1; kill <= kills; kill++) {
    const wanted = Math.floor((kill * requests) / (kills + 1));
    const { status, request_counts } = await waitFor(openai, id, batch => answeredOf(batch) >= wanted);
    if (ENDED.includes(status)) throw new Error(`The batch was ${status} before the cloud was killed.`);
    answeredAtKills.push(request_counts!.completed);
    process.kill((await home.cloud())!.pid, 'SIGKILL');
    while (await home.cloud()) await sleep(LOOK_MS);
    await home.wake();
  }
  const batch = await waitFor(openai, id, () => false);
  const answered = [
    ...(await readNames(openai, batch.output_file_id)),
    ...(await readNames(openai, batch.error_file_id)),
  ];
  const { lost, doubled } = judgeNames('request', names, answered);
  const seconds = Math.round((performance.now() - began) / 1000);
  const counts = { lost: lost.length, doubled: doubled.length };
  console.log(
    renderTable([
      {
        requests,
        'answered at the kills': answeredAtKills.join(', '),
        status: batch.status,
        ...counts,
        seconds,
      },
    ]),
  );
  const isWhole = batch.status === 'completed' && batch.request_counts?.completed === requests;
  if (!isWhole || lost.length + doubled.length > 0) process.exitCode = 1;
}

async function connect(home: Home): Promise<OpenAI> {
  const { url } = await home.wake();
  mustSucceed(await home.svc('init'));
  const { stdout } = mustSucceed(await home.svc('keys', 'issue', '--project', '--label', 'batch'));
  return new OpenAI({ apiKey: stdout.trim(), baseURL: `${url}/openai/v1`, maxRetries: 10 });
}

async function createBatch(openai: OpenAI, names: readonly string[]): Promise<Batch> {
  const [model] = (await openai.models.list()).data;
  const lines = names.map(custom_id => {
    const messages = [{ role: 'user', content: custom_id }];
    return JSON.stringify({
      custom_id,
      method: 'POST',
      url: ENDPOINT,
      body: { model: model!.id, messages, max_tokens: 24 },
    });
  });
  const file = await openai.files.create({
    file: new File([lines.join('\n')], 'in.jsonl'),
    purpose: 'batch',
  });
  return openai.batches.create({ input_file_id: file.id, endpoint: ENDPOINT, completion_window: '24h' });
}

function answeredOf({ request_counts: counts }: Batch): number {
  return (counts?.completed ?? 0) + (counts?.failed ?? 0);
}

/** The batch once this holds, or it has ended. */
async function waitFor(openai: OpenAI, id: string, holds: (batch: Batch) => boolean): Promise<Batch> {
  for (const until = performance.now() + MOST_MS; ; await sleep(LOOK_MS)) {
    const batch = await openai.batches.retrieve(id);
    if (holds(batch) || ENDED.includes(batch.status)) return batch;
    if (performance.now() > until)
      throw new Error(`The batch did not end: ${JSON.stringify(batch.request_counts)}`);
  }
}

async function readNames(openai: OpenAI, file: string | undefined): Promise<string[]> {
  if (file === undefined) return [];
  const text = await (await openai.files.content(file)).text();
  return text
    .trim()
    .split('\n')
    .map(line => (JSON.parse(line) as { custom_id: string }).custom_id);
}

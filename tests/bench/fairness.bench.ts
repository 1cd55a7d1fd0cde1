// How long a caller waits for a chat while another one does the worst that it may: to read files, prompts and columns, and to
// hold connections. While files are read, each chat is the first one with an adapter, after an upload. What takes longer than
// a minute counts as a minute. SVC_BENCH_ATTACK names the attacks to measure, by a part of their names.

import { setMaxListeners } from 'node:events';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { baseModelFolder } from '../../lib/base-model/index.js';
import { percentile } from '../../lib/console/chart/statistics.js';
import { ADAPTER_FILES } from '../../lib/engine/index.js';
import { toTarBlob } from '../../lib/tar/index.js';
import { makeAdapterFolder } from '../support/sample-adapter.js';
import { type Caller, type Server, signUp, withServer } from './cloud/with-server.js';
import { ATTACKS, type Attack } from './fairness/attacks.js';
import type { Row } from './table.js';

export const name = 'a chat while another caller does the worst that it may, in seconds';

const CHATS = 100;
/** No more are begun after this. */
const MOST_MS = 90_000;
const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;

const chosen = ATTACKS.filter(attack => attack.name.includes(process.env.SVC_BENCH_ATTACK ?? ''));

export async function run(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const attack of chosen) rows.push(...(await measure(attack)));
  return rows;
}

async function measure(attack: Attack): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-fairness-bench-'));
  try {
    const { descriptors } = attack;
    return await withServer(folder, server => compare(attack, server, folder), { descriptors });
  } finally {
    await rm(folder, { recursive: true, maxRetries: 3 });
  }
}

async function compare(attack: Attack, server: Server, folder: string): Promise<Row[]> {
  const victim = await signUp(server.url);
  const ask = createAsk(victim, folder);
  await ask();
  const alone = await askMany(ask);
  const request = await attack.begin({ url: server.url, attacker: server });
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const ends = { answered: 0, refused: new Map<string, number>() };
  const attacking = Array.from({ length: attack.atOnce }, () => repeat(request, stop.signal, ends));
  await sleep(1000);
  const beside = await askMany(ask);
  stop.abort();
  await Promise.all(attacking);
  const refusals = [...ends.refused].map(([reason, count]) => `${count} times ${reason}`).join(', ');
  console.log(`${attack.name}: ${ends.answered} answered${refusals && `, ${refusals}`}`);
  return [toRow(`before ${attack.name}`, alone), toRow(attack.name, beside)];
}

interface Ends {
  answered: number;
  /** By what was said. */
  refused: Map<string, number>;
}

async function repeat(request: (signal: AbortSignal) => Promise<unknown>, signal: AbortSignal, ends: Ends) {
  while (!signal.aborted) {
    try {
      await request(signal);
      ends.answered++;
    } catch (error) {
      const { message } = error as Error;
      if (!signal.aborted) ends.refused.set(message, (ends.refused.get(message) ?? 0) + 1);
    }
    await sleep(1);
  }
}

type Ask = () => Promise<Waited>;

/** In milliseconds. */
interface Waited {
  chat: number;
  upload: number;
  hasFailed: boolean;
}

/** An upload, and the first chat with an adapter. */
function createAsk({ client }: Caller, folder: string): Ask {
  let asked = 0;
  return async () => {
    const seed = ++asked;
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    let [begun, chatBegun] = [performance.now(), 0];
    let hasFailed = false;
    try {
      const adapter = await importAdapter(client, join(folder, `adapter-${seed}`), seed, signal);
      begun = performance.now();
      await client.uploadDataset('rows.jsonl', `{"text":"${seed}"}\n`, { signal });
      chatBegun = performance.now();
      await client.chat({ adapter, messages, maxTokens: 4 }, { signal });
    } catch {
      hasFailed = true;
    }
    const end = performance.now();
    return { chat: end - (chatBegun || begun), upload: (chatBegun || end) - begun, hasFailed };
  };
}

async function importAdapter(client: Caller['client'], own: string, seed: number, signal: AbortSignal) {
  await makeAdapterFolder(own, baseModelFolder(), { rank: 1, modules: ['self_attn.q_proj'], seed });
  const files = ADAPTER_FILES.map(async name => ({ name, content: await openAsBlob(join(own, name)) }));
  const archive = toTarBlob(await Promise.all(files));
  const { job } = await client.importAdapter({ sameBaseModel: true }, archive, { signal });
  return { jobId: job.id, kind: 'final' as const };
}

async function askMany(ask: Ask): Promise<Waited[]> {
  const all: Waited[] = [];
  const end = performance.now() + MOST_MS;
  while (all.length < CHATS && performance.now() < end) {
    all.push(await ask());
    await sleep(PAUSE_MS);
  }
  return all;
}

function toRow(what: string, all: readonly Waited[]): Row {
  const seconds = (of: 'chat' | 'upload', share: number) =>
    percentile(
      all.map(waited => waited[of] / 1000).sort((a, b) => a - b),
      share,
    );
  return {
    what,
    chats: all.length,
    failed: all.filter(({ hasFailed }) => hasFailed).length,
    'chat p50': seconds('chat', 50),
    'chat p99': seconds('chat', 99),
    'upload p99': seconds('upload', 99),
  };
}

// The memory of eight chats at once that fill the context of a 135M model: with room for all of them, and with room for
// two, where the others wait. SVC_BENCH_CONTEXT says how long the context is; the time grows faster than it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { layoutBytes } from '../../lib/engine/generate/cache-budget.js';
import { cacheShapeOf, parseModelConfig } from '../../lib/engine/model/index.js';
import type { ChatMemory, ChatMemoryTask } from './engine/chat-memory.js';
import { BENCH_SHAPES, type BenchShape, writeRandomModel } from './engine/shapes.js';
import type { Row } from './table.js';

export const name = 'the memory of eight chats that fill the context';

const CONTEXT = Number(process.env.SVC_BENCH_CONTEXT ?? 512);
const CHATS = 8;
const TOKENS = 32;
const script = fileURLToPath(new URL('engine/chat-memory.ts', import.meta.url));
const tsx = fileURLToPath(new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url));

export async function run(): Promise<Row[]> {
  const known = BENCH_SHAPES.find(({ name: shape }) => shape === '135m')!;
  const shape: BenchShape = { ...known, config: { ...known.config, max_position_embeddings: CONTEXT } };
  const one = layoutBytes(cacheShapeOf(parseModelConfig(shape.config, 'config.json')), [CONTEXT]);
  // A newcomer needs room for its prompt beside its place in the batch.
  const rooms = [
    ['all', 2 * CHATS * one],
    ['two', 3 * one],
  ] as const;
  const wanted = process.env.SVC_BENCH_ROOM?.split(',') ?? rooms.map(([room]) => room);
  const folder = await writeRandomModel(shape);
  try {
    const rows: Row[] = [];
    for (const [room, budget] of rooms.filter(([known]) => wanted.includes(known))) {
      const task = { folder, chats: CHATS, context: CONTEXT, tokens: TOKENS, budget };
      rows.push({ 'room for': room, context: CONTEXT, ...toRow(budget, await measure(task)) });
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measure(task: ChatMemoryTask): Promise<ChatMemory> {
  const child = fork(script, { execArgv: ['--import', tsx] });
  child.send(task);
  const [answer] = (await once(child, 'message')) as [ChatMemory];
  await once(child, 'exit');
  return answer;
}

function toRow(budget: number, { rss, cacheBytes, answered, firstTokenMs, ms }: ChatMemory): Row {
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  return {
    'budget MB': megabytes(budget),
    'caches MB': megabytes(cacheBytes),
    'loaded MB': megabytes(rss.loaded),
    'peak MB': megabytes(rss.most),
    'ended MB': megabytes(rss.ended),
    'unloaded MB': megabytes(rss.unloaded),
    answered: `${answered} of ${CHATS}`,
    'last first token s': Math.round(Math.max(...firstTokenMs) / 1000),
    s: Math.round(ms / 1000),
  };
}

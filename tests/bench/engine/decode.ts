// Generation speed: tokens a second of one text and of several at once, with and without adapters, and with a mix, and of
// a long prompt. It takes turns with llama.cpp, where that is there. In a process of its own, since one that answers
// chats has large pages from its start: `tsx decode.ts MODEL_FOLDER WORK TOKENS` prints its rows as JSON.
import { join } from 'node:path';
import { createGenerator, type Generator, type LoadedAdapter } from '../../../lib/engine/generate/index.js';
import type { WeightPrecision } from '../../../lib/engine/int8/index.js';
import { type ModelSource, openModel } from '../../../lib/engine/model/index.js';
import { openWeights } from '../../../lib/engine/train/index.js';
import { dots } from '../../support/text-decodings.js';
import { median } from '../median.js';
import type { Row } from '../table.js';
import { decode, randomAdapter } from './decode-lines.js';
import { BATCHES, LONG_PROMPT, randomPrompt, SHORT_PROMPT } from './decoding-cases.js';
import type { LlamaIntroduction, LlamaRound } from './measure-llama.js';
import { type LlamaPeer, startLlama } from './peer-llama.js';

const ROUNDS = 5;

interface Case {
  what: string;
  batch: number;
  adapters: string;
  /** Tokens a second. */
  run(round: number): Promise<number>;
  /** The same of llama.cpp, without adapters, with each number of threads. */
  peer?(round: LlamaRound): number[];
}

const FORMS: readonly WeightPrecision[] = ['f32', 'int8'];

const [folder, work, count] = process.argv.slice(2) as [string, string, string];
const tokens = Number(count);

/** Rows for each form of the weights. */
async function measureAll(): Promise<Row[]> {
  const stored = await openModel(folder);
  const peer = await startLlama(folder, join(work, 'model.gguf'), stored.config.vocabulary, tokens);
  const rows: Row[] = [];
  try {
    for (const weights of FORMS) {
      const model = await openWeights(stored, weights, { folder: join(work, 'rounded'), trains: false });
      const generator = createGenerator({ ...model, text: dots, keepBoth: true, maxBatch: 16 });
      try {
        const measured = await measure(casesOf(generator, model), peer);
        measured.push(await measureFirstToken(generator, model.config.vocabulary));
        rows.push(...measured.map(row => ({ weights, ...row })));
      } finally {
        await generator.close();
      }
    }
  } finally {
    await peer?.close();
  }
  return rows;
}

function casesOf(generator: Generator, { config }: ModelSource): Case[] {
  const adapters = Array.from({ length: 8 }, (_, i) => randomAdapter(config, i));
  const prompt = (length: number, seed: number) => randomPrompt(length, config.vocabulary, seed);
  const continued = (batch: number, kind: string, of: (line: number) => LoadedAdapter | null): Case => {
    const lines = Array.from({ length: batch }, (_, i) => ({
      promptIds: prompt(SHORT_PROMPT, i),
      adapter: of(i),
    }));
    return { what: 'next tokens', batch, adapters: kind, run: () => decode(generator, lines, tokens) };
  };
  const alone = BATCHES.map(batch => ({
    ...continued(batch, 'none', () => null),
    peer: ({ nextTokens }: LlamaRound) => nextTokens[batch]!,
  }));
  const adapted = [
    ...[1, 8].map(batch => continued(batch, 'one, r 16', () => adapters[0]!)),
    continued(8, 'eight, r 16', line => adapters[line]!),
  ];
  const read: Case = {
    what: `prompt of ${LONG_PROMPT}`,
    batch: 1,
    adapters: 'none',
    run: round => readPrompt(generator, prompt(LONG_PROMPT, round)),
    peer: round => round.prompt,
  };
  return [...alone, ...adapted, read];
}

async function measure(cases: readonly Case[], peer: LlamaPeer | null): Promise<Row[]> {
  const speeds = cases.map(() => [] as number[]);
  const theirs: LlamaRound[] = [];
  // In turns, so that what else the machine does falls on all of them alike.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [i, { run }] of cases.entries()) {
      const speed = await run(round);
      if (round > 0) speeds[i]!.push(speed);
    }
    const speed = await peer?.next();
    if (round > 0 && speed) theirs.push(speed);
  }
  return cases.map(({ what, batch, adapters, peer: speedOf }, i) => ({
    what,
    batch,
    adapters,
    'tokens/s': Math.round(median(speeds[i]!)),
    best: Math.round(Math.max(...speeds[i]!)),
    'rss MB': Math.round(process.memoryUsage().rss / 1e6),
    ...(peer && speedOf && compare(peer.introduction, speeds[i]!, theirs.map(speedOf))),
  }));
}

/** With the number of threads that is fastest for it. */
function compare(
  { peer, threads }: LlamaIntroduction,
  ours: readonly number[],
  rounds: readonly (readonly number[])[],
): Row {
  const candidates = threads.map((count, at) => ({ count, speeds: rounds.map(round => round[at]!) }));
  const [fastest] = candidates.sort((a, b) => median(b.speeds) - median(a.speeds));
  const { count, speeds } = fastest!;
  return {
    peer,
    threads: count,
    'q8_0 tokens/s': Math.round(median(speeds)),
    'q8_0 best': Math.round(Math.max(...speeds)),
    'times q8_0': median(ours.map((speed, i) => speed / speeds[i]!)).toFixed(2),
  };
}

/** Tokens a second, until the first token after it. */
async function readPrompt(generator: Generator, promptIds: readonly number[]): Promise<number> {
  const { firstMs } = await answer(generator, promptIds);
  return (1000 * promptIds.length) / firstMs;
}

/** The lengths of a chat so far, of an answer, and of the message after it. */
const CHAT = { before: 800, answer: 8, message: 30 };

/** How soon the answer to the second message of a chat begins, with what was computed for the first and without. */
async function measureFirstToken(generator: Generator, vocabulary: number): Promise<Row> {
  const times = { kept: [] as number[], computed: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    const chat = randomPrompt(CHAT.before, vocabulary, round);
    const { tokenIds } = await answer(generator, chat, CHAT.answer);
    const next = [...chat, ...tokenIds, ...randomPrompt(CHAT.message, vocabulary, 100 + round)];
    const kept = await answer(generator, next);
    // Another first token: nothing is shared.
    const computed = await answer(generator, [(next[0]! + 1) % vocabulary, ...next.slice(1)]);
    if (round === 0) continue;
    times.kept.push(kept.firstMs);
    times.computed.push(computed.firstMs);
  }
  return {
    what: `first token after ${CHAT.before} + ${CHAT.message}`,
    batch: 1,
    adapters: 'none',
    'kept ms': Math.round(median(times.kept)),
    'computed ms': Math.round(median(times.computed)),
    'times sooner': median(times.computed.map((ms, i) => ms / times.kept[i]!)).toFixed(1),
  };
}

async function answer(generator: Generator, promptIds: readonly number[], maxTokens = 1) {
  const start = performance.now();
  const tokenIds: number[] = [];
  let firstMs = 0;
  for await (const piece of generator.generate({ promptIds, adapter: null, maxTokens, temperature: 0 })) {
    if (piece.tokenIds.length > 0) firstMs ||= performance.now() - start;
    tokenIds.push(...piece.tokenIds);
  }
  return { firstMs, tokenIds };
}

console.log(JSON.stringify(await measureAll()));

// llama.cpp, measured in a process of its own, on the processor alone: `tsx measure-llama.ts INSTALLED GGUF_FILE
// VOCABULARY TOKENS` finds node-llama-cpp from the folder INSTALLED and says what it is. Then, for each line that it is
// sent, it generates so many tokens of each number of texts, and reads a prompt: with one thread, and with all. Its
// threads spin, and each step starts them anew; where the system puts two on one core, one is faster. A step's median
// leaves out most of that.
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { median } from '../median.js';
import { BATCHES, LONG_PROMPT, randomPrompt, SHORT_PROMPT } from './decoding-cases.js';

export interface LlamaIntroduction {
  /** What it is, with its version. */
  peer: string;
  /** The numbers of threads that it is measured with. */
  threads: number[];
}

export interface LlamaRound {
  /** Tokens a second, for each number of texts, with each number of threads. */
  nextTokens: Record<number, number[]>;
  /** Tokens a second, with each number of threads. */
  prompt: number[];
}

/** The part of node-llama-cpp that is used. */
interface NodeLlama {
  getLlama(options: { gpu: false; build: 'never'; logLevel: 'error'; maxThreads: 0 }): Promise<{
    llamaCppRelease: { release: string };
    loadModel(options: { modelPath: string }): Promise<{
      createContext(options: {
        sequences: number;
        contextSize: number;
        batchSize: number;
        threads: number;
      }): Promise<{ getSequence(): Sequence }>;
    }>;
  }>;
}

interface Sequence {
  evaluate(
    tokens: readonly number[],
    options: { temperature: 0; yieldEogToken: true },
  ): AsyncGenerator<number>;
  clearHistory(): Promise<void>;
}

const [installed, path, vocabulary, tokens] = process.argv.slice(2) as [string, string, string, string];
const entry = createRequire(join(installed, 'package.json')).resolve('node-llama-cpp');
const { getLlama }: NodeLlama = await import(pathToFileURL(entry).href);
// Unless the threads of all contexts together are unlimited, contexts that rest keep theirs from the others.
const llama = await getLlama({ gpu: false, build: 'never', logLevel: 'error', maxThreads: 0 });
const model = await llama.loadModel({ modelPath: path });
const threads = [...new Set([1, availableParallelism()])];
const batches = new Map<number, Sequence[][]>();
for (const count of BATCHES) {
  const opened: Sequence[][] = [];
  for (const used of threads) opened.push(await openSequences(count, used));
  batches.set(count, opened);
}

const say = (line: LlamaIntroduction | LlamaRound) => console.log(JSON.stringify(line));
say({ peer: `llama.cpp ${llama.llamaCppRelease.release}`, threads });
let round = 0;
for await (const _ of createInterface({ input: process.stdin })) {
  round++;
  const nextTokens: Record<number, number[]> = {};
  for (const [count, opened] of batches) nextTokens[count] = await measureEach(opened, generate);
  const prompt = await measureEach(batches.get(1)!, sequences => readPrompt(sequences, round));
  say({ nextTokens, prompt });
}

async function measureEach(
  opened: readonly Sequence[][],
  measure: (sequences: readonly Sequence[]) => Promise<number>,
): Promise<number[]> {
  const speeds: number[] = [];
  for (const sequences of opened) speeds.push(await measure(sequences));
  return speeds;
}

async function openSequences(count: number, used: number): Promise<Sequence[]> {
  const context = await model.createContext({
    sequences: count,
    contextSize: LONG_PROMPT + 64,
    batchSize: LONG_PROMPT,
    threads: used,
  });
  return Array.from({ length: count }, () => context.getSequence());
}

/** Tokens a second, at the median step after the prompts. */
async function generate(sequences: readonly Sequence[]): Promise<number> {
  const lines = sequences.map((sequence, line) => continueText(sequence, SHORT_PROMPT, line));
  const takeStep = () => Promise.all(lines.map(line => line.next()));
  await takeStep();
  const times: number[] = [];
  for (let i = 0; i < Number(tokens); i++) {
    const start = performance.now();
    await takeStep();
    times.push(performance.now() - start);
  }
  await Promise.all(lines.map(line => line.return(undefined)));
  await clear(sequences);
  return (1000 * sequences.length) / median(times);
}

/** Tokens a second, until the first token after it. */
async function readPrompt(sequences: readonly Sequence[], seed: number): Promise<number> {
  const line = continueText(sequences[0]!, LONG_PROMPT, seed);
  const start = performance.now();
  await line.next();
  const ms = performance.now() - start;
  await line.return(undefined);
  await clear(sequences);
  return (1000 * LONG_PROMPT) / ms;
}

/** Greedily, and past the end of a text. */
function continueText(sequence: Sequence, length: number, seed: number): AsyncGenerator<number> {
  const prompt = randomPrompt(length, Number(vocabulary), seed);
  return sequence.evaluate(prompt, { temperature: 0, yieldEogToken: true });
}

async function clear(sequences: readonly Sequence[]): Promise<void> {
  for (const sequence of sequences) await sequence.clearHistory();
}

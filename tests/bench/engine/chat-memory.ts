// The process whose memory is measured: chats that fill the context, all at once, over the model of a folder. Its figures
// go to its parent.
import { createGenerator } from '../../../lib/engine/generate/index.js';
import { openModel } from '../../../lib/engine/model/index.js';
import { dots } from '../../support/text-decodings.js';

export interface ChatMemoryTask {
  folder: string;
  chats: number;
  context: number;
  /** How many tokens of the context are generated; the rest is the prompt. */
  tokens: number;
  budget?: number;
}

export interface ChatMemory {
  /** Of the process, in bytes: with the model loaded, at most, when all have ended, and when the model is unloaded. */
  rss: { loaded: number; most: number; ended: number; unloaded: number };
  /** Of keys and values, at most. */
  cacheBytes: number;
  answered: number;
  firstTokenMs: number[];
  ms: number;
}

process.once('message', async (task: ChatMemoryTask) => {
  process.send!(await measure(task));
  process.disconnect();
});

async function measure({ folder, chats, context, tokens, budget }: ChatMemoryTask): Promise<ChatMemory> {
  const model = await openModel(folder);
  const generator = createGenerator({
    ...model,
    text: dots,
    context,
    ...(budget && { cacheBudget: budget }),
  });
  const { vocabulary } = model.config;
  let cacheBytes = 0;

  /** When its first token came; null where it did not get all of them. */
  async function chat(seed: number, length: number, maxTokens: number): Promise<number | null> {
    const promptIds = Array.from({ length }, (_, i) => (seed * 31 + i * 7) % vocabulary);
    let firstAt = 0;
    let count = 0;
    for await (const { tokenIds } of generator.generate({
      promptIds,
      adapter: null,
      maxTokens,
      temperature: 0,
    })) {
      firstAt ||= performance.now();
      count += tokenIds.length;
      cacheBytes = Math.max(cacheBytes, generator.status().cacheBytes);
    }
    return count === maxTokens ? firstAt : null;
  }

  await chat(0, 16, 2);
  const loaded = process.memoryUsage().rss;
  const begun = performance.now();
  const firsts = await Promise.all(
    Array.from({ length: chats }, (_, i) => chat(i + 1, context - tokens, tokens)),
  );
  const ms = performance.now() - begun;
  const ended = process.memoryUsage().rss;
  await generator.unload();
  const answered = firsts.filter(at => at !== null);
  return {
    rss: {
      loaded,
      most: process.resourceUsage().maxRSS * 1024,
      ended,
      unloaded: process.memoryUsage().rss,
    },
    cacheBytes,
    answered: answered.length,
    firstTokenMs: answered.map(at => at - begun),
    ms,
  };
}

// Answers on a GPU, here played: its cache stays there from step to step, and the CPU goes on with what it was answering when it
// fails. tests/gpu has a real one.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { GenerateRequest, Generator } from '../../lib/engine/generate/index.js';
import type * as runtime from '../../lib/engine/runtime/index.js';
import { openGolden, readAll, varied } from './generate/golden-generator.js';
import type { PlayedGpu } from './played-gpu.js';

const gpu = vi.hoisted((): PlayedGpu => ({ left: 0, runs: 0, kept: new Set() }));

vi.mock('../../lib/engine/runtime/index.js', async importOriginal => {
  const original = await importOriginal<typeof runtime>();
  const { playGpu: play } = await import('./played-gpu.js');
  return { ...original, createSession: play(gpu, original) };
});

beforeEach(() => void Object.assign(gpu, { left: Number.POSITIVE_INFINITY, runs: 0, kept: new Set() }));

const ON_GPU = { session: { provider: 'webgpu', threads: 1 } } as const;

/** Texts of different lengths, which join the batch and leave it at different times. */
async function answerAll(generator: Generator, requests: readonly GenerateRequest[]) {
  const answers = requests.map(async request => (await readAll(generator.generate(request))).tokenIds);
  return Promise.all(answers);
}

describe.each(['llama', 'gemma3', 'lfm2'])('%s on a GPU', async name => {
  const { golden, trained, line, open } = await openGolden(name);
  const requests = [30, 3, 12, 21].map((length, i) => ({
    promptIds: line(i % 3, length),
    adapter: i % 2 === 0 ? trained : null,
    maxTokens: 10 + 9 * i,
    ...varied,
  }));

  it('answers as the CPU does', async () => {
    const generator = open({ ...ON_GPU, chunk: 8, maxBatch: 3 });
    const found = await answerAll(generator, requests);
    expect(found).toEqual(await answerAll(open({ chunk: 8, maxBatch: 3 }), requests));
    expect(gpu.runs).toBeGreaterThan(40);
    // A second request continues from the first one's prompt.
    const again = await readAll(generator.generate(requests[0]!));
    expect(again.tokenIds).toEqual(found[0]);
    await generator.close();
    expect(gpu.kept.size).toBe(0);
  });

  it.each([0, 3, 11, 30])('is left for the CPU after %i steps, in the middle of its answers', async left => {
    const faults: string[] = [];
    const leaveDevice = async ({ message }: Error) => {
      faults.push(message);
      return golden;
    };
    gpu.left = left;
    const found = await answerAll(open({ ...ON_GPU, chunk: 8, leaveDevice }), requests);
    expect(found).toEqual(await answerAll(open({ chunk: 8 }), requests));
    expect(faults).toEqual(['The GPU failed: device lost.']);
    expect([gpu.runs, gpu.kept.size]).toEqual([left, 0]);
  });
});

it('ends its answers with the reason if nothing else can answer', async () => {
  const { line, open } = await openGolden('llama');
  gpu.left = 2;
  const answer = readAll(open(ON_GPU).generate({ promptIds: line(0, 4), maxTokens: 9 }));
  await expect(answer).rejects.toThrow('The GPU failed: device lost.');
});

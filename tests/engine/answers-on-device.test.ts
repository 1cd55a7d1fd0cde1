// Answers on a GPU, here played: caches and adapters stay there from step to step, and the CPU goes on with what it was answering when
// it fails. tests/gpu has a real one.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { rowBytes, tokensPerSnapshot } from '../../lib/engine/generate/cache-budget.js';
import type { GenerateRequest, Generator } from '../../lib/engine/generate/index.js';
import { isSnapshotPoint } from '../../lib/engine/generate/prefix-cache.js';
import { sizeOf } from '../../lib/engine/graph/index.js';
import { cacheShapeOf } from '../../lib/engine/model/index.js';
import type * as runtime from '../../lib/engine/runtime/index.js';
import { openHalf } from '../../lib/engine/train/device/half-weights.js';
import { openGolden, readAll, varied } from './generate/golden-generator.js';
import { bytesIn, type PlayedGpu } from './played-gpu.js';

const gpu = vi.hoisted((): PlayedGpu => ({ left: 0, runs: [], kept: new Set() }));

vi.mock('../../lib/engine/runtime/index.js', async importOriginal => {
  const original = await importOriginal<typeof runtime>();
  const { playGpu: play } = await import('./played-gpu.js');
  return { ...original, createSession: play(gpu, original) };
});

beforeEach(() => void Object.assign(gpu, { left: Number.POSITIVE_INFINITY, runs: [], kept: new Set() }));

const ON_GPU = { session: { provider: 'webgpu', threads: 1 } } as const;

/** What a step is sent: tokens and where they are, and of adapters which one each text has. */
const SENT =
  /^(ids|positions|lengths|rowsAt|at|oddsRead|statesAt|drawnAt|sharpness|pastMask.*|newMask.*|rankScales.\d)$/;
/** What it gives back: the new rows of keys and values, and what may be wanted of its results. */
const READ = ['freshRows', 'logits', 'odds', 'states'];

/** Texts of different lengths, which join the batch and leave it at different times. */
async function answerAll(generator: Generator, requests: readonly GenerateRequest[]) {
  const answers = requests.map(async request => (await readAll(generator.generate(request))).tokenIds);
  return Promise.all(answers);
}

describe.each(['llama', 'gemma3', 'lfm2', 'qwen3_5'])('%s on a GPU', async name => {
  const { golden, trained, initial, line, open } = await openGolden(name);
  const requests = [30, 3, 12, 21].map((length, i) => ({
    promptIds: line(i % 3, length),
    adapter: i % 2 === 0 ? trained : null,
    maxTokens: 10 + 9 * i,
    ...varied,
  }));
  const shape = cacheShapeOf(golden.config);
  const stateBytes = 4 * shape.states.reduce((sum, state) => sum + sizeOf(state.shape), 0);

  it('answers as the CPU does', async () => {
    const generator = open({ ...ON_GPU, chunk: 8, maxBatch: 3 });
    const found = await answerAll(generator, requests);
    expect(found).toEqual(await answerAll(open({ chunk: 8, maxBatch: 3 }), requests));
    expect(gpu.runs.length).toBeGreaterThan(40);
    // A second request continues from the first one's prompt.
    const again = await readAll(generator.generate(requests[0]!));
    expect(again.tokenIds).toEqual(found[0]);
    await generator.close();
    expect(gpu.kept.size).toBe(0);
  });

  it('draws as the CPU does, also beside a text that takes the likeliest', async () => {
    const drawn = requests.map((request, i) => ({
      ...request,
      presencePenalty: 0,
      ...(i !== 1 && { temperature: 1, seed: i }),
    }));
    const found = await answerAll(open({ ...ON_GPU, chunk: 8 }), drawn);
    expect(found).toEqual(await answerAll(open({ chunk: 8 }), drawn));
    const row = 4 * golden.config.vocabulary;
    expect(
      bytesIn(
        gpu.runs.map(run => run.read),
        'odds',
      ),
    ).toBeGreaterThan(20 * row);
  });

  it('answers with weights in float16 as with the numbers that they are rounded to', async () => {
    const half = await openHalf({ ...golden, folder: null });
    const found = await answerAll(open({ ...ON_GPU, ...half, chunk: 8 }), requests);
    expect(found).toEqual(await answerAll(open({ ...half, chunk: 8 }), requests));
  });

  it('is sent tokens and masks in a step, each adapter once, and nothing that it has computed', async () => {
    const adapters = [trained, null, initial, null];
    const asked = requests.map((request, i) => ({ ...request, adapter: adapters[i]! }));
    await answerAll(open({ ...ON_GPU, chunk: 8, maxBatch: 3 }), asked);
    const sent = gpu.runs.map(run => run.sent);
    // An empty text is sent once, for all to begin with.
    expect(['past.', 'more.'].map(part => bytesIn(sent, part))).toEqual([rowBytes(shape) + stateBytes, 0]);
    // Two adapters, and what they are together.
    expect(sent.filter(one => bytesIn([one], 'lora.') > 0)).toHaveLength(3);
    const steps = gpu.runs.filter(run => run.sent.has('ids'));
    for (const { sent: one, read } of steps) {
      const given = [...one].flatMap(([input, bytes]) => (bytes > 0 ? [input] : []));
      expect(given.filter(input => !SENT.test(input))).toEqual([]);
      expect([...read.keys()].filter(output => !READ.includes(output))).toEqual([]);
    }
    const reads = steps.map(run => run.read);
    const rows = bytesIn(reads, 'logits') / (4 * golden.config.vocabulary);
    const tokens = asked.reduce((sum, { maxTokens }) => sum + maxTokens, 0);
    const chunks = asked.reduce((sum, { promptIds }) => sum + Math.ceil(promptIds.length / 8), 0);
    // A chunk of a prompt that is not the last one has a row, too.
    expect(rows).toBe(tokens + chunks - asked.length);
    // Nobody draws.
    expect(bytesIn(reads, 'odds')).toBe(4 * steps.length);
    expect(bytesIn(reads, 'states')).toBe(4 * golden.config.hidden * steps.length);
  });

  it('gives back the states of a text only where another one may go on from it, and is sent what it goes on from', async () => {
    const generator = open({ ...ON_GPU, chunk: 8 });
    await answerAll(generator, [requests[0]!]);
    const every = tokensPerSnapshot(shape);
    const points = [8, 16, 24].filter(tokens => isSnapshotPoint(tokens, 30, 8, every)).length;
    const read = () =>
      bytesIn(
        gpu.runs.map(run => run.read),
        'copy.past.',
      );
    expect(read()).toBe(points * stateBytes);
    gpu.runs = [];
    await answerAll(generator, [requests[0]!]);
    const sent = gpu.runs.map(run => run.sent);
    expect(bytesIn(sent, 'past.') + bytesIn(sent, 'more.')).toBe(24 * rowBytes(shape) + stateBytes);
    expect([bytesIn(sent, 'lora.'), read()]).toEqual([0, 0]);
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
    expect([gpu.runs.length, gpu.kept.size]).toEqual([left, 0]);
  });
});

it('ends its answers with the reason if nothing else can answer', async () => {
  const { line, open } = await openGolden('llama');
  gpu.left = 2;
  const answer = readAll(open(ON_GPU).generate({ promptIds: line(0, 4), maxTokens: 9 }));
  await expect(answer).rejects.toThrow('The GPU failed: device lost.');
});

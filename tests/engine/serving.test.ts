// A served model as its callers see it: a separate process that answers many chats, and may die.
import { cp, mkdtemp, open, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChatTask, type Piece, type ServingProcess, startServing } from '../../lib/engine/index.js';
import { makeModelFolder } from '../support/tiny-model.js';
import { createVirtualClock } from '../support/virtual-clock.js';

const adapterFolder = fileURLToPath(new URL('../golden/engine/llama/adapter_final', import.meta.url));
const messages = [{ role: 'user', content: 'hello' }];
const greedy: ChatTask = { messages, adapterFolder: null, temperature: 0, maxTokens: 12 };

let modelFolder: string;
let serving: ServingProcess;
beforeAll(async () => {
  modelFolder = await makeModelFolder();
  serving = startServing({ modelFolder, threads: 1, maxBatch: 4, queueLimit: 2 });
  await serving.ready;
});
afterAll(async () => {
  await serving.close();
  await rm(modelFolder, { recursive: true, force: true });
});

async function collect(pieces: AsyncIterable<Piece>) {
  let text = '';
  const ids: number[] = [];
  let last: Piece | undefined;
  for await (const piece of pieces) {
    text += piece.text;
    ids.push(...piece.tokenIds);
    last = piece;
  }
  return { text, ids, last };
}

describe('a served model', () => {
  it('reports its context length', async () => {
    expect(await serving.ready).toEqual({ context: 512 });
  });

  it('rejects a prompt that is too long, and one that is far too long without tokenizing it', async () => {
    const failure = (times: number) => {
      const long = [{ role: 'user', content: 'word '.repeat(times) }];
      return collect(serving.ask('chat', { ...greedy, messages: long })).catch(error => error);
    };
    expect(await failure(600)).toMatchObject({
      code: 'context_length_exceeded',
      message: expect.stringMatching(/^The prompt has \d+ tokens, .* is 512,/),
    });
    expect(await failure(700_000)).toMatchObject({
      code: 'context_length_exceeded',
      message: expect.stringMatching(/^The prompt has at least \d+ tokens, .* is 512,/),
    });
  });

  it('answers piece by piece, and ends with a finish reason and usage', async () => {
    const { text, ids, last } = await collect(serving.ask('chat', greedy));
    expect(ids).toHaveLength(12);
    expect(typeof text).toBe('string');
    expect(last).toMatchObject({
      finishReason: 'length',
      usage: { completionTokens: 12, promptTokens: expect.any(Number) },
    });
  });

  it('answers with and without an adapter at the same time, each as if alone', async () => {
    const adapted = { ...greedy, adapterFolder };
    const alone = [await collect(serving.ask('chat', greedy)), await collect(serving.ask('chat', adapted))];
    const together = await Promise.all(
      [greedy, adapted, greedy].map(task => collect(serving.ask('chat', task))),
    );
    expect(together.map(({ ids }) => ids)).toEqual([alone[0]!.ids, alone[1]!.ids, alone[0]!.ids]);
    expect(alone[0]!.ids).not.toEqual(alone[1]!.ids);
  });

  it('stops when its reader leaves or the signal aborts', async () => {
    for await (const _ of serving.ask('chat', { ...greedy, maxTokens: 400 })) break;
    const aborter = new AbortController();
    const reason = new Error('enough');
    const reading = (async () => {
      for await (const _ of serving.ask('chat', { ...greedy, maxTokens: 400 }, aborter.signal))
        aborter.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
    expect((await collect(serving.ask('chat', greedy))).ids).toHaveLength(12);
  });

  it('rejects what is too long before it computes anything', async () => {
    const long = { ...greedy, messages: [{ role: 'user', content: 'word '.repeat(600) }] };
    await expect(collect(serving.ask('chat', long))).rejects.toMatchObject({
      code: 'context_length_exceeded',
    });
  });

  it('rejects requests beyond its queue limit', async () => {
    const tasks = Array.from({ length: 9 }, () => collect(serving.ask('chat', { ...greedy, maxTokens: 60 })));
    const ends = await Promise.allSettled(tasks);
    const refused = ends.flatMap(end => (end.status === 'rejected' ? [end.reason.code] : []));
    expect(refused).toEqual(['engine_busy', 'engine_busy', 'engine_busy']);
  });

  it('counts messages before it reads any of them', async () => {
    const many = Array.from({ length: 60_000 }, () => ({ role: 'unknown to any template', content: '' }));
    await expect(collect(serving.ask('chat', { ...greedy, messages: many }))).rejects.toMatchObject({
      code: 'context_length_exceeded',
      message: expect.stringContaining('at least 60000 tokens'),
    });
  });

  it('reports the template’s refusal of a conversation, but not its path', async () => {
    const failing = '{{ raise_exception("Only questions, please.") }}';
    const folder = await makeModelFolder({ 'tokenizer_config.json': { chat_template: failing } });
    const strict = startServing({ modelFolder: folder, threads: 1 });
    const fault = await collect(strict.ask('chat', greedy)).catch(error => error);
    await strict.close();
    await rm(folder, { recursive: true });
    expect(fault).toMatchObject({
      code: 'invalid_value',
      message: expect.stringContaining('Only questions'),
    });
    expect(fault.message).toContain('tokenizer_config.json');
    expect(fault.message).not.toContain(folder);
  });

  it('frees its memory and answers again', async () => {
    const before = await collect(serving.ask('chat', greedy));
    serving.unload();
    expect((await collect(serving.ask('chat', greedy))).ids).toEqual(before.ids);
  });
});

describe('a long prompt', () => {
  const long = {
    ...greedy,
    messages: Array.from({ length: 500 }, () => ({ role: 'user', content: 'hello' })),
  };
  const short = { ...greedy, maxTokens: 1 };

  it('is written while other chats are answered', async () => {
    const order: string[] = [];
    const note = (what: string) => () => void order.push(what);
    const written = collect(serving.ask('chat', long)).catch(note('long'));
    for (let i = 0; i < 3; i++) await collect(serving.ask('chat', short)).then(note('short'));
    await written;
    expect(order).toEqual(['short', 'short', 'short', 'long']);
  });

  it('is rejected if it takes too long to write', async () => {
    const hasty = startServing({ modelFolder, threads: 1, promptLimitMs: 1 });
    await expect(collect(hasty.ask('chat', long))).rejects.toMatchObject({
      code: 'invalid_value',
      message: expect.stringContaining('Shorten the messages'),
    });
    expect((await collect(hasty.ask('chat', short))).ids).toHaveLength(1);
    await hasty.close();
  });
});

describe('a damaged adapter', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-damaged-'));
    await cp(adapterFolder, folder, { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true }));

  const weights = () => join(folder, 'adapter_model.safetensors');
  async function overwrite(values: Float32Array): Promise<void> {
    const file = await open(weights(), 'r+');
    await file.write(
      new Uint8Array(values.buffer),
      0,
      values.byteLength,
      (await file.stat()).size - values.byteLength,
    );
    await file.close();
  }

  it.each([
    ['is missing', () => rm(weights())],
    ['is truncated', () => truncate(weights(), 2000)],
    ['contains NaN', () => overwrite(Float32Array.of(Number.NaN))],
    ['contains infinity', () => overwrite(Float32Array.of(Number.POSITIVE_INFINITY))],
    ['contains huge values', () => overwrite(Float32Array.of(1e38))],
  ])('that %s is rejected by name, without affecting others in the same batch', async (_, damage) => {
    const expected = await collect(serving.ask('chat', greedy));
    await damage();
    const [broken, healthy] = await Promise.all([
      collect(serving.ask('chat', { ...greedy, adapterFolder: folder })).catch(error => error),
      collect(serving.ask('chat', greedy)),
    ]);
    expect(broken).toMatchObject({ code: 'adapter_damaged', message: expect.stringContaining(folder) });
    expect(healthy.ids).toEqual(expected.ids);
  });
});

describe('a model that is still loading', () => {
  it('answers once it is ready, except to callers who have left', async () => {
    const starting = startServing({ modelFolder, threads: 1 });
    const reason = new Error('gone');
    const aborter = new AbortController();
    const impatient = collect(starting.ask('chat', greedy, aborter.signal));
    const patient = collect(starting.ask('chat', greedy));
    aborter.abort(reason);
    await expect(impatient).rejects.toBe(reason);
    expect((await patient).ids).toHaveLength(12);
    await starting.close();
  });
});

describe('a model with sampling defaults', () => {
  const unsaid: ChatTask = { messages, adapterFolder: null, maxTokens: 12 };
  const hot: ChatTask = { ...unsaid, temperature: 2, seed: 5 };

  /** The answer of a model with this generation_config.json. */
  async function answers(generation: Record<string, unknown>, tasks: readonly ChatTask[]) {
    const folder = await makeModelFolder({ 'generation_config.json': generation });
    const asked = startServing({ modelFolder: folder, threads: 1 });
    try {
      return await Promise.all(tasks.map(async task => (await collect(asked.ask('chat', task))).ids));
    } finally {
      await asked.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  it('uses them unless the request overrides them', async () => {
    const [likeliest, drawn] = [
      await collect(serving.ask('chat', greedy)),
      await collect(serving.ask('chat', hot)),
    ];
    expect(drawn.ids).not.toEqual(likeliest.ids);
    const [unsampled, sampled, narrow] = await Promise.all([
      answers({ do_sample: false }, [unsaid, hot]),
      answers({ temperature: 2 }, [{ ...unsaid, seed: 5 }]),
      answers({ temperature: 2, top_p: 0 }, [unsaid, { ...unsaid, topP: 1, seed: 5 }]),
    ]);
    expect(unsampled).toEqual([likeliest.ids, drawn.ids]);
    expect(sampled).toEqual([drawn.ids]);
    expect(narrow).toEqual([likeliest.ids, drawn.ids]);
  }, 60_000);
});

describe('a served model that dies', () => {
  it('fails its pending answers, so that nothing waits forever', async () => {
    const mortal = startServing({ modelFolder, threads: 1 });
    await mortal.ready;
    const reading = (async () => {
      for await (const _ of mortal.ask('chat', { ...greedy, maxTokens: 400 }))
        process.kill(mortal.pid, 'SIGKILL');
    })();
    await expect(reading).rejects.toMatchObject({ code: 'engine_unavailable' });
    expect(await mortal.ended).toEqual({ exitCode: null, signal: 'SIGKILL' });
    await expect(collect(mortal.ask('chat', greedy))).rejects.toMatchObject({ code: 'engine_unavailable' });
  });

  it('is killed while it is suspended', async () => {
    const clock = createVirtualClock();
    const stopped = startServing({ modelFolder, threads: 1 }, clock);
    for await (const _ of stopped.ask('chat', { ...greedy, maxTokens: 400 })) {
      process.kill(stopped.pid, 'SIGSTOP');
      break;
    }
    const refused = expect(collect(stopped.ask('chat', greedy))).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
    await clock.pass(4000);
    expect(stopped.isHung).toBe(false);
    await clock.pass(9000);
    await refused;
    expect(await stopped.ended).toEqual({ exitCode: null, signal: 'SIGKILL', hung: true });
  });

  it('reports why it cannot be opened', async () => {
    const broken = startServing({ modelFolder: '/nowhere' });
    await expect(broken.ready).rejects.toThrow('/nowhere/config.json');
    expect((await broken.ended).exitCode).toBe(1);
  });
});

// A served model as its callers have it: a process of its own that answers many chats, and may die.
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChatTask, type Piece, type ServingProcess, startServing } from '../../lib/engine/index.js';
import { makeModelFolder } from '../support/tiny-model.js';

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
  it('says how long a text may be', async () => {
    expect(await serving.ready).toEqual({ context: 512 });
  });

  it('refuses a prompt that is too long, and one that is far too long without taking it apart', async () => {
    const failure = (times: number) => {
      const long = [{ role: 'user', content: 'word '.repeat(times) }];
      return collect(serving.chat({ ...greedy, messages: long })).catch(error => error);
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

  it('answers piece by piece, and says at the end why it ended and what it took', async () => {
    const { text, ids, last } = await collect(serving.chat(greedy));
    expect(ids).toHaveLength(12);
    expect(typeof text).toBe('string');
    expect(last).toMatchObject({
      finishReason: 'length',
      usage: { completionTokens: 12, promptTokens: expect.any(Number) },
    });
  });

  it('answers with an adapter and without at the same time, each as if alone', async () => {
    const adapted = { ...greedy, adapterFolder };
    const alone = [await collect(serving.chat(greedy)), await collect(serving.chat(adapted))];
    const together = await Promise.all([greedy, adapted, greedy].map(task => collect(serving.chat(task))));
    expect(together.map(({ ids }) => ids)).toEqual([alone[0]!.ids, alone[1]!.ids, alone[0]!.ids]);
    expect(alone[0]!.ids).not.toEqual(alone[1]!.ids);
  });

  it('stops when its reader leaves or the signal says so', async () => {
    for await (const _ of serving.chat({ ...greedy, maxTokens: 400 })) break;
    const aborter = new AbortController();
    const reason = new Error('enough');
    const reading = (async () => {
      for await (const _ of serving.chat({ ...greedy, maxTokens: 400 }, aborter.signal))
        aborter.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
    expect((await collect(serving.chat(greedy))).ids).toHaveLength(12);
  });

  it('refuses what is too long before it computes anything', async () => {
    const long = { ...greedy, messages: [{ role: 'user', content: 'word '.repeat(600) }] };
    await expect(collect(serving.chat(long))).rejects.toMatchObject({ code: 'context_length_exceeded' });
  });

  it('refuses more than may wait', async () => {
    const tasks = Array.from({ length: 9 }, () => collect(serving.chat({ ...greedy, maxTokens: 60 })));
    const ends = await Promise.allSettled(tasks);
    const refused = ends.flatMap(end => (end.status === 'rejected' ? [end.reason.code] : []));
    expect(refused).toEqual(['engine_busy', 'engine_busy', 'engine_busy']);
  });

  it('names the adapter that cannot be read, and goes on', async () => {
    await expect(collect(serving.chat({ ...greedy, adapterFolder: '/nowhere' }))).rejects.toThrow('/nowhere');
    expect((await collect(serving.chat(greedy))).ids).toHaveLength(12);
  });

  it('gives its memory back and answers again', async () => {
    const before = await collect(serving.chat(greedy));
    serving.unload();
    expect((await collect(serving.chat(greedy))).ids).toEqual(before.ids);
  });
});

describe('a served model that is not ready yet', () => {
  it('answers once it is, and not to who has left before', async () => {
    const starting = startServing({ modelFolder, threads: 1 });
    const reason = new Error('gone');
    const aborter = new AbortController();
    const impatient = collect(starting.chat(greedy, aborter.signal));
    const patient = collect(starting.chat(greedy));
    aborter.abort(reason);
    await expect(impatient).rejects.toBe(reason);
    expect((await patient).ids).toHaveLength(12);
    await starting.close();
  });
});

describe('a served model that says how it is sampled', () => {
  const unsaid: ChatTask = { messages, adapterFolder: null, maxTokens: 12 };
  const hot: ChatTask = { ...unsaid, temperature: 2, seed: 5 };

  /** The tokens that a model with such a generation_config.json answers with. */
  async function answers(generation: Record<string, unknown>, tasks: readonly ChatTask[]) {
    const folder = await makeModelFolder({ 'generation_config.json': generation });
    const asked = startServing({ modelFolder: folder, threads: 1 });
    try {
      return await Promise.all(tasks.map(async task => (await collect(asked.chat(task))).ids));
    } finally {
      await asked.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  it('is, unless the request says otherwise', async () => {
    const [likeliest, drawn] = [await collect(serving.chat(greedy)), await collect(serving.chat(hot))];
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
  it('fails what it was answering, and nothing waits for ever', async () => {
    const mortal = startServing({ modelFolder, threads: 1 });
    await mortal.ready;
    const reading = (async () => {
      for await (const _ of mortal.chat({ ...greedy, maxTokens: 400 })) process.kill(mortal.pid, 'SIGKILL');
    })();
    await expect(reading).rejects.toMatchObject({ code: 'engine_unavailable' });
    expect(await mortal.ended).toEqual({ exitCode: null, signal: 'SIGKILL' });
    await expect(collect(mortal.chat(greedy))).rejects.toMatchObject({ code: 'engine_unavailable' });
  });

  it('says why it cannot be opened', async () => {
    const broken = startServing({ modelFolder: '/nowhere' });
    await expect(broken.ready).rejects.toThrow('/nowhere/config.json');
    expect((await broken.ended).exitCode).toBe(1);
  });
});

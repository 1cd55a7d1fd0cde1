// A served model as its callers see it: a separate process that answers many chats, and may die.
import { cp, open, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../../lib/clock/index.js';
import { withServingMemory } from '../../lib/engine/environment.js';
import { type Piece, type ServeTask, type ServingProcess, startServing } from '../../lib/engine/index.js';
import type { ChatTask } from '../../lib/engine/process/messages.js';
import { findGpu } from '../../lib/system/index.js';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { tinyModel } from './tiny-model.js';

const adapterFolder = fileURLToPath(new URL('../golden/engine/llama/adapter_final', import.meta.url));
const hasGpu = (await findGpu()) !== null;
const messages = [{ role: 'user', content: 'hello' }];
const greedy: ChatTask = { messages, adapterFolder: null, temperature: 0, maxTokens: 12 };

const modelFolder = await tinyModel();
let serving: ServingProcess;
beforeAll(async () => {
  serving = startServing({ modelFolder, threads: 1, maxBatch: 4, queueLimit: 2 });
  await serving.ready;
});
afterAll(() => serving.close());

/** Another one, which ends with the test. */
function start(task: Partial<ServeTask> = {}, clock?: Clock) {
  const started = startServing({ modelFolder, threads: 1, ...task }, { clock });
  onTestFinished(() => started.close());
  return started;
}

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

const MANY = { maxBatch: 1, queueLimit: 20 };
/**
 * Asks for more answers, one after the other, than can be over before what is done at the first piece of the first one. Returns
 * the error of the last one.
 */
async function errorOfMany(asked: ServingProcess, act: () => void, signal?: AbortSignal): Promise<unknown> {
  const ask = () => asked.ask('chat', { ...greedy, maxTokens: 400 }, signal);
  const first = ask()[Symbol.asyncIterator]();
  const begun = first.next();
  const others = Array.from({ length: 11 }, ask);
  const errors = others.map(each =>
    collect(each).then(
      () => null,
      error => error,
    ),
  );
  await begun;
  act();
  await first.return?.(undefined);
  return errors.at(-1);
}

/** The answer of the shared one; below, its error. */
const answer = (task: Partial<ChatTask> = {}) => collect(serving.ask('chat', { ...greedy, ...task }));
const faultOf = (task: Partial<ChatTask>) =>
  answer(task).then(
    () => null,
    error => error,
  );

it.skipIf(hasGpu)('answers on the CPU, and says why, where there is no GPU to answer on', async () => {
  const faults: string[] = [];
  const onLeftGpu = (reason: string) => void faults.push(reason);
  const started = startServing({ modelFolder, threads: 1, device: { type: 'gpu' } }, { onLeftGpu });
  onTestFinished(() => started.close());
  expect((await collect(started.ask('chat', greedy))).ids).toEqual((await answer()).ids);
  expect(faults).toEqual([expect.stringContaining('The GPU cannot be used: ')]);
});

it('says what it does before it can answer: it compares weights once, whatever the folder is called', async () => {
  const roundedFolder = temporaryFolder('svc-rounded');
  /** All that is said until it is ready. */
  async function sayings(folder: string) {
    const said = new Set<string | null>();
    const started = start({ modelFolder: folder, weights: 'auto', roundedFolder });
    let isReady = false;
    void started.ready.then(() => {
      isReady = true;
    });
    for (; !isReady; await nextTurn()) said.add(started.preparing);
    expect(started.preparing).toBeNull();
    return [...said].filter(what => what !== null);
  }
  expect(await sayings(modelFolder)).toEqual([
    'Loading the model.',
    expect.stringMatching(/^Comparing 8-bit with 32-bit weights/),
  ]);
  const copy = join(temporaryFolder('svc-copy'), 'renamed');
  await cp(modelFolder, copy, { recursive: true });
  expect(await sayings(copy)).toEqual(['Loading the model.']);
});

describe('a served model', () => {
  const words = (times: number) => [{ role: 'user', content: 'word '.repeat(times) }];
  const strangers = Array.from({ length: 60_000 }, () => ({ role: 'unknown to any template', content: '' }));

  it.each([
    [
      'is too long',
      words(600),
      /^This model's maximum context length is 512 tokens, .* prompt is too long: \d+ tokens/,
    ],
    [
      'is far too long, without tokenizing it',
      words(700_000),
      /^This model's maximum context length is 512 .* too long: at least \d+ tokens/,
    ],
    ['has too many messages, before it reads any of them', strangers, /at least 60000 tokens/],
  ])('rejects a prompt that %s', async (_, long, message) => {
    const fault = { code: 'context_length_exceeded', message: expect.stringMatching(message) };
    expect(await faultOf({ messages: long })).toMatchObject(fault);
  });

  it('answers piece by piece, with a finish reason and usage at the end, also after it was unloaded', async () => {
    const { text, ids, last } = await answer();
    expect(ids).toHaveLength(12);
    expect(typeof text).toBe('string');
    const usage = { completionTokens: 12, promptTokens: expect.any(Number) };
    expect(last).toMatchObject({ finishReason: 'length', usage });
    serving.unload();
    expect((await answer()).ids).toEqual(ids);
    await serving.ready;
  });

  it('answers with and without an adapter at the same time, each as if alone', async () => {
    const adapted = { ...greedy, adapterFolder };
    const alone = [(await answer()).ids, (await answer(adapted)).ids];
    const together = await Promise.all([greedy, adapted, greedy].map(answer));
    expect(together.map(({ ids }) => ids)).toEqual([alone[0], alone[1], alone[0]]);
    expect(alone[0]).not.toEqual(alone[1]);
  });

  it('stops when its reader leaves or the signal aborts', async () => {
    for await (const _ of serving.ask('chat', { ...greedy, maxTokens: 400 })) break;
    const aborter = new AbortController();
    const reason = new Error('enough');
    expect(await errorOfMany(start(MANY), () => aborter.abort(reason), aborter.signal)).toBe(reason);
    expect((await answer()).ids).toHaveLength(12);
  });

  it('rejects requests beyond its queue limit', async () => {
    const ends = await Promise.allSettled(Array.from({ length: 9 }, () => answer({ maxTokens: 60 })));
    const refused = ends.flatMap(end => (end.status === 'rejected' ? [end.reason.code] : []));
    expect(refused).toEqual(['engine_busy', 'engine_busy', 'engine_busy']);
  });

  it('reports the template’s refusal of a conversation, but not its path', async () => {
    const failing = '{{ raise_exception("Only questions, please.") }}';
    const folder = await tinyModel({ 'tokenizer_config.json': { chat_template: failing } });
    const fault = await collect(start({ modelFolder: folder }).ask('chat', greedy)).catch(error => error);
    expect(fault.code).toBe('invalid_value');
    for (const told of ['Only questions', 'tokenizer_config.json']) expect(fault.message).toContain(told);
    expect(fault.message).not.toContain(folder);
  });
});

describe('a long prompt', () => {
  const long = { ...greedy, messages: Array.from({ length: 500 }, () => messages[0]!) };
  const short = { ...greedy, maxTokens: 1 };

  it('is written while other chats are answered', async () => {
    const loop = `${'{% for i in range(9999) %}'.repeat(3)}x${'{% endfor %}'.repeat(3)}`;
    const endless = `{% if messages | length > 32 %}${loop}{% endif %}x`;
    const folder = await tinyModel({ 'tokenizer_config.json': { chat_template: endless } });
    const asked = start({ modelFolder: folder, promptLimitMs: JOURNEY_TIMEOUT_MS });
    const leaving = new AbortController();
    const left = new Error('left');
    const written = collect(asked.ask('chat', long, leaving.signal)).catch(error => error);
    for (let i = 0; i < 3; i++) expect((await collect(asked.ask('chat', short))).ids).toHaveLength(1);
    leaving.abort(left);
    expect(await written).toBe(left);
  });

  it('is rejected if it takes too long to write', async () => {
    const hasty = start({ promptLimitMs: 1 });
    const message = expect.stringContaining('Shorten the messages');
    await expect(collect(hasty.ask('chat', long))).rejects.toMatchObject({ code: 'invalid_value', message });
    expect((await collect(hasty.ask('chat', short))).ids).toHaveLength(1);
  });
});

describe('a damaged adapter', () => {
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder('svc-damaged');
    await cp(adapterFolder, folder, { recursive: true });
  });

  const weights = () => join(folder, 'adapter_model.safetensors');
  /** Makes this the last number. */
  const overwrite = (value: number) => async () => {
    const file = await open(weights(), 'r+');
    await file.write(new Uint8Array(Float32Array.of(value).buffer), 0, 4, (await file.stat()).size - 4);
    await file.close();
  };

  it.each([
    ['is missing', () => rm(weights())],
    ['is truncated', () => truncate(weights(), 2000)],
    ['contains NaN', overwrite(Number.NaN)],
    ['contains infinity', overwrite(Number.POSITIVE_INFINITY)],
    ['contains huge values', overwrite(1e38)],
  ])('that %s is rejected by name, without affecting others in the same batch', async (_, damage) => {
    const expected = await answer();
    await damage();
    const [broken, healthy] = await Promise.all([faultOf({ adapterFolder: folder }), answer()]);
    expect(broken).toMatchObject({ code: 'adapter_damaged', message: expect.stringContaining(folder) });
    expect(healthy.ids).toEqual(expected.ids);
  });
});

it('a model that is still loading answers once it is ready, except to callers who have left', async () => {
  const starting = start();
  const reason = new Error('gone');
  const aborter = new AbortController();
  const impatient = collect(starting.ask('chat', greedy, aborter.signal));
  const patient = collect(starting.ask('chat', greedy));
  aborter.abort(reason);
  await expect(impatient).rejects.toBe(reason);
  expect((await patient).ids).toHaveLength(12);
});

it('a model with sampling defaults uses them unless the request overrides them', async () => {
  const unsaid: ChatTask = { messages, adapterFolder: null, maxTokens: 12 };
  const hot: ChatTask = { ...unsaid, temperature: 2, seed: 5 };
  /** The answers of a model with this generation_config.json. */
  async function answers(generation: object, ...tasks: ChatTask[]) {
    const asked = start({ modelFolder: await tinyModel({ 'generation_config.json': generation }) });
    return Promise.all(tasks.map(async task => (await collect(asked.ask('chat', task))).ids));
  }
  const [likeliest, drawn] = [(await answer()).ids, (await answer(hot)).ids];
  expect(drawn).not.toEqual(likeliest);
  expect(await answers({ do_sample: false }, unsaid, hot)).toEqual([likeliest, drawn]);
  expect(await answers({ temperature: 2 }, { ...unsaid, seed: 5 })).toEqual([drawn]);
  const wide = { ...unsaid, topP: 1, seed: 5 };
  expect(await answers({ temperature: 2, top_p: 0 }, unsaid, wide)).toEqual([likeliest, drawn]);
  const all = { ...unsaid, topK: 0, seed: 5 };
  expect(await answers({ temperature: 2, top_k: 1 }, unsaid, all)).toEqual([likeliest, drawn]);
}, 60_000);

describe('a served model that dies', () => {
  it('fails its pending answers, so that nothing waits forever', async () => {
    const mortal = start(MANY);
    await mortal.ready;
    const error = await errorOfMany(mortal, () => process.kill(mortal.pid, 'SIGKILL'));
    expect(error).toMatchObject({ code: 'engine_unavailable' });
    expect(await mortal.ended).toEqual({ exitCode: null, signal: 'SIGKILL' });
    await expect(collect(mortal.ask('chat', greedy))).rejects.toMatchObject({ code: 'engine_unavailable' });
  });

  it('is killed while it is suspended', async () => {
    const clock = createVirtualClock();
    const stopped = start({}, clock);
    for await (const _ of stopped.ask('chat', { ...greedy, maxTokens: 400 })) {
      process.kill(stopped.pid, 'SIGSTOP');
      break;
    }
    const code = 'engine_unavailable';
    const refused = expect(collect(stopped.ask('chat', greedy))).rejects.toMatchObject({ code });
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

const GIVES_BACK = 'glibc.malloc.mmap_threshold=131072';

it.each([
  ['', `glibc.malloc.hugetlb=1:${GIVES_BACK}`],
  ['glibc.malloc.check=1', `glibc.malloc.check=1:glibc.malloc.hugetlb=1:${GIVES_BACK}`],
  ['glibc.malloc.hugetlb=0', `glibc.malloc.hugetlb=0:${GIVES_BACK}`],
  ['glibc.malloc.mmap_threshold=4096', 'glibc.malloc.mmap_threshold=4096:glibc.malloc.hugetlb=1'],
])(
  'a server has large pages, and gives memory back, unless a user chose otherwise: %s',
  (chosen, tunables) => {
    const env = withServingMemory({ PATH: '/bin', ...(chosen && { GLIBC_TUNABLES: chosen }) });
    expect([env.GLIBC_TUNABLES, env.PATH]).toEqual([tunables, '/bin']);
  },
);

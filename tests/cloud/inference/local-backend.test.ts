import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLocalBackend, type LocalBackend } from '../../../lib/cloud/inference/local-backend.js';
import type { Question } from '../../../lib/cloud/seams/backend.js';
import { type Piece, type ServingProcess, startServing } from '../../../lib/engine/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { type ScriptedProcess, scriptedProcess } from './scripted-process.js';

const task: Question<'chat'> = {
  messages: [{ role: 'user', content: 'hello' }],
  adapter: null,
  temperature: 0,
  maxTokens: 8,
};
const never = new AbortController().signal;

async function collect(pieces: AsyncIterable<Piece>) {
  const all: Piece[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

/** What was generated. How much of the prompt was cached depends on what the process answered before. */
function outputOf(pieces: readonly Piece[]) {
  return pieces.map(piece => (piece.finishReason ? piece.finishReason : piece));
}

describe('a backend with a scripted process', () => {
  const started: ScriptedProcess[] = [];
  const logged: string[] = [];
  const backend = (clock = createVirtualClock()) =>
    createLocalBackend({
      modelFolder: '/model',
      clock,
      log: ({ message }) => logged.push(message),
      start: () => {
        started.push(scriptedProcess());
        return started.at(-1)!;
      },
    });
  afterEach(() => {
    started.splice(0);
    logged.splice(0);
  });

  it('starts its process with the first chat or with warm()', async () => {
    const lazy = backend();
    expect(started).toHaveLength(0);
    lazy.warm();
    lazy.warm();
    expect(started).toHaveLength(1);
  });

  it('unloads the model only after the idle time without chats', async () => {
    const clock = createVirtualClock();
    const idle = backend(clock);
    idle.warm();
    const [process] = started;
    process!.becomeReady();
    await collect(idle.ask('chat', task, never));
    const open = idle.ask('chat', task, never)[Symbol.asyncIterator]();
    await open.next();
    await collect(idle.ask('chat', task, never));
    await clock.pass(60 * 60_000);
    expect(process!.unloads).toBe(0);
    await open.return?.();
    await clock.pass(10 * 60_000 - 1);
    expect(process!.unloads).toBe(0);
    await clock.pass(1);
    expect(process!.unloads).toBe(1);
    await collect(idle.ask('chat', task, never));
    await clock.pass(10 * 60_000);
    expect(process!.unloads).toBe(2);
  });

  it('asks the replacement of a hung process, and waits 15 s for it', async () => {
    const clock = createVirtualClock();
    const hanging = backend(clock);
    const answers = [collect(hanging.ask('chat', task, never)), collect(hanging.ask('chat', task, never))];
    const ends = Promise.allSettled(answers);
    await clock.pass(0);
    started[0]!.hang();
    await clock.pass(14_999);
    const inTime = collect(hanging.ask('chat', task, never));
    expect(await Promise.race([ends, 'waiting'])).toBe('waiting');
    await clock.pass(1);
    for (const end of await ends)
      expect(end).toMatchObject({
        reason: { code: 'engine_unavailable', message: expect.stringContaining('being restarted') },
      });
    started[1]!.becomeReady();
    expect(await inTime).toHaveLength(2);
    expect(clock.nextMs).toBe(10 * 60_000);
  });

  it('knows the folders of loaded adapters alone, and tells its process to free those that are unloaded', async () => {
    const local = backend();
    const adapted = { ...task, adapter: 'abc' };
    await expect(collect(local.ask('chat', adapted, never))).rejects.toThrow('abc is not loaded');
    await local.load({ sha256: 'abc', folder: '/adapters/1' });
    await local.load({ sha256: 'abc', folder: '/adapters/2' });
    local.warm();
    const [process] = started;
    process!.becomeReady();
    await collect(local.ask('chat', adapted, never));
    expect(process!.asked).toMatchObject([{ adapterFolder: '/adapters/2', maxTokens: 8 }]);
    await local.unload('abc');
    await local.unload('abc');
    expect(process!.unloaded).toEqual(['/adapters/2']);
    await expect(collect(local.ask('chat', adapted, never))).rejects.toThrow('abc is not loaded');
  });

  it('reports that the model cannot be opened, and the reason only in the log', async () => {
    const broken = backend();
    const answers = [collect(broken.ask('chat', task, never)), collect(broken.ask('chat', task, never))];
    await Promise.resolve();
    started[0]!.refuse('/model/config.json is missing.');
    for (const end of await Promise.allSettled([...answers, collect(broken.ask('chat', task, never))])) {
      expect(end).toMatchObject({
        status: 'rejected',
        reason: { code: 'engine_unavailable', message: expect.not.stringContaining('/model') },
      });
    }
    expect(logged).toEqual(['The model cannot be opened: /model/config.json is missing.']);
    expect(broken.state).toBe('failed');
  });
});

// The last test closes what the others ask.
describe('a backend with the real engine', { shuffle: false }, () => {
  let modelFolder: string;
  let backend: LocalBackend;
  const started: ServingProcess[] = [];
  const clock = createVirtualClock();
  beforeAll(async () => {
    modelFolder = await makeModelFolder();
    backend = createLocalBackend({
      modelFolder,
      threads: 1,
      // Its processes may take as long as they need to start.
      clock: createVirtualClock(),
      log: () => {},
      start: options => {
        started.push(startServing(options, clock));
        return started.at(-1)!;
      },
    });
  });
  afterAll(async () => {
    await backend.close();
    await rm(modelFolder, { recursive: true, force: true });
  });

  it('fails only the current answer when its process is killed, and answers the next chat', async () => {
    const before = outputOf(await collect(backend.ask('chat', task, never)));
    const answering = (async () => {
      const pieces = backend.ask('chat', { ...task, maxTokens: 400 }, never)[Symbol.asyncIterator]();
      await pieces.next();
      process.kill(started[0]!.pid, 'SIGKILL');
      while (!(await pieces.next()).done);
    })();
    await expect(answering).rejects.toMatchObject({ code: 'engine_unavailable' });
    expect(outputOf(await collect(backend.ask('chat', task, never)))).toEqual(before);
    expect(started).toHaveLength(2);
    expect(backend.state).toBe('ready');
  });

  it('reports a hung process and answers waiting chats with a new one', async () => {
    const before = outputOf(await collect(backend.ask('chat', task, never)));
    const begun = backend.ask('chat', { ...task, maxTokens: 400 }, never)[Symbol.asyncIterator]();
    await begun.next();
    process.kill(started.at(-1)!.pid, 'SIGSTOP');
    const waiting = collect(backend.ask('chat', task, never));
    const broken = expect(
      (async () => {
        for (let next = await begun.next(); !next.done; ) next = await begun.next();
      })(),
    ).rejects.toMatchObject({ code: 'engine_unavailable' });
    await clock.pass(6000);
    expect(backend.state).toBe('hung');
    await clock.pass(6000);
    await broken;
    expect(outputOf(await waiting)).toEqual(before);
    expect(backend.state).toBe('ready');
  }, 60_000);

  it('answers again after its model is unloaded', async () => {
    const before = outputOf(await collect(backend.ask('chat', task, never)));
    started.at(-1)!.unload();
    expect(outputOf(await collect(backend.ask('chat', task, never)))).toEqual(before);
  });

  it('ends its process when closed', async () => {
    await backend.close();
    expect(await started.at(-1)!.ended).toMatchObject({ exitCode: 0 });
    await expect(collect(backend.ask('chat', task, never))).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
  });
});

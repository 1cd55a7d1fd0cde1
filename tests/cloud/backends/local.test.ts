// The backend on this machine. `seams/backend.test.ts` has what all backends do.
import { rm } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { askOnce } from '../../../lib/cloud/answers/pieces.js';
import { createLocalBackend } from '../../../lib/cloud/backends/local.js';
import type { Backend, Question } from '../../../lib/cloud/seams/backend.js';
import type { RunDevice } from '../../../lib/contract/index.js';
import { type Piece, type ServingProcess, startServing } from '../../../lib/engine/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { end, text } from './scripted-backend.js';
import { type ScriptedProcess, scriptedProcess } from './scripted-process.js';

const messages = [{ role: 'user' as const, content: 'hello' }];
const task: Question<'chat'> = { messages, adapter: null, temperature: 0, maxTokens: 8 };
const never = new AbortController().signal;
const begin = (backend: Backend, asked = task) => backend.ask('chat', asked, never)[Symbol.asyncIterator]();

async function answer(backend: Backend, asked = task) {
  const all: Piece[] = [];
  for await (const piece of backend.ask('chat', asked, never)) all.push(piece);
  return all;
}

describe('a backend with a scripted process', () => {
  const started: ScriptedProcess[] = [];
  const logged: string[] = [];
  const open = (clock = createVirtualClock()) =>
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

  it('starts one process with the first chats, and unloads the model after the idle time without chats', async () => {
    const clock = createVirtualClock();
    const idle = open(clock);
    expect(started).toHaveLength(0);
    const first = [answer(idle), answer(idle)];
    expect(started).toHaveLength(1);
    const process = started[0]!;
    process.becomeReady();
    await Promise.all(first);
    const unfinished = begin(idle);
    await unfinished.next();
    await answer(idle);
    await clock.pass(60 * 60_000);
    expect(process.unloads).toBe(0);
    await unfinished.return?.();
    await clock.pass(10 * 60_000 - 1);
    expect(process.unloads).toBe(0);
    await clock.pass(1);
    expect(process.unloads).toBe(1);
    await answer(idle);
    await clock.pass(10 * 60_000);
    expect(process.unloads).toBe(2);
  });

  it('asks the replacement of a hung process, and waits 15 s for it', async () => {
    const clock = createVirtualClock();
    const hanging = open(clock);
    const ends = Promise.allSettled([answer(hanging), answer(hanging)]);
    await clock.pass(0);
    started[0]!.hang();
    await clock.pass(14_999);
    const inTime = answer(hanging);
    expect(await Promise.race([ends, 'waiting'])).toBe('waiting');
    await clock.pass(1);
    const message = expect.stringContaining('being restarted');
    const refused = { reason: { code: 'engine_unavailable', message } };
    expect(await ends).toMatchObject([refused, refused]);
    started[1]!.becomeReady();
    expect(await inTime).toHaveLength(2);
    expect(clock.nextMs).toBe(10 * 60_000);
  });

  describe('that embeds and crashes again and again', () => {
    const restarted = (cause: string) => `The engine stopped (${cause}); restarting.`;
    const embed = (backend: Backend) => askOnce(backend, 'embed', { prompt: 'hello', adapter: null }, never);

    it('restarts its process without delay', async () => {
      const clock = createVirtualClock();
      const backend = open(clock);
      for (let i = 0; i < 3; i++) {
        const embedding = embed(backend);
        started.at(-1)!.becomeReady();
        await embedding;
        started.at(-1)!.die();
        await clock.pass(0);
        expect(logged.at(-1)).toBe(restarted('SIGKILL'));
      }
    });

    it('does so, too, after the replacement of a hung one has embedded', async () => {
      const clock = createVirtualClock();
      const backend = open(clock);
      const embedding = embed(backend);
      await clock.pass(0);
      started[0]!.hang();
      await clock.pass(0);
      started[1]!.becomeReady();
      await embedding;
      started[1]!.die();
      await clock.pass(0);
      expect(logged).toEqual([restarted('it stopped responding and was killed'), restarted('SIGKILL')]);
    });
  });

  it('notes the speed of an answer that has the model for itself, as the engine measured it', async () => {
    const speeds: number[] = [];
    const local = createLocalBackend({
      ...{ modelFolder: '/model', clock: createVirtualClock(), log: () => {} },
      onSpeed: speed => speeds.push(speed),
      start: () => {
        started.push(scriptedProcess());
        return started.at(-1)!;
      },
    });
    const first = answer(local);
    const process = started[0]!;
    process.becomeReady();
    await first;
    const answerIn = async (tokens: number, between = async () => {}) => {
      process.answer = [text('hello'), { ...end(3, tokens), samplingMs: 500 }];
      const pieces = begin(local);
      await pieces.next();
      await between();
      while (!(await pieces.next()).done);
    };
    await answerIn(51);
    await answerIn(31);
    await answerIn(32);
    await answerIn(51, async () => void (await answer(local)));
    expect(speeds).toEqual([100, 62]);
  });

  it('names the latest folder of an adapter to its process, and frees it there once', async () => {
    const local = open();
    const adapted = { ...task, adapter: 'abc' };
    for (const folder of ['/adapters/1', '/adapters/2']) await local.load({ sha256: 'abc', folder });
    const first = answer(local, adapted);
    const process = started[0]!;
    process.becomeReady();
    await first;
    expect(process.asked).toMatchObject([{ adapterFolder: '/adapters/2', maxTokens: 8 }]);
    for (let i = 0; i < 2; i++) await local.unload('abc');
    expect(process.unloaded).toEqual(['/adapters/2']);
    await expect(answer(local, adapted)).rejects.toThrow('abc is not loaded');
  });

  describe('that chooses its device', () => {
    const GPU = { type: 'gpu', name: 'A card' } as const;

    function openOn(clock = createVirtualClock()) {
      const world = { wanted: GPU as RunDevice, faults: [] as string[], devices: [] as unknown[] };
      const tellers: { onLeftGpu(reason: string): void; onNotRounded(reason: string): void }[] = [];
      const backend = createLocalBackend({
        ...{ modelFolder: '/model', clock, log: ({ message }) => logged.push(message) },
        device: {
          choose: async () => world.wanted,
          leaveGpu(reason) {
            world.faults.push(reason);
            world.wanted = { type: 'cpu', reason };
          },
        },
        start({ device }, teller) {
          world.devices.push(device?.type);
          tellers.push(teller);
          started.push(scriptedProcess());
          started.at(-1)!.becomeReady();
          return started.at(-1)!;
        },
      });
      return { backend, world, tellers };
    }

    it('asks a process on the CPU again after one on the GPU has died, and stays there', async () => {
      const { backend, world } = openOn();
      await answer(backend);
      const first = started[0]!;
      // The request that it dies of has no output yet.
      first.ask = async function* () {
        first.die();
        await first.ended;
        yield* await Promise.reject<never[]>(new Error('The engine stopped.'));
      };
      expect(await answer(backend)).toHaveLength(2);
      expect(world.devices).toEqual(['gpu', 'cpu']);
      expect(world.faults).toEqual(['Its process died when it last used the GPU.']);
      started[1]!.die();
      await answer(backend);
      expect([world.devices.at(-1), world.faults.length]).toEqual(['cpu', 1]);
    });

    it('passes on that its process has left the GPU', async () => {
      const { backend, world, tellers } = openOn();
      await answer(backend);
      tellers[0]!.onLeftGpu('The GPU failed: device lost.');
      started[0]!.die();
      await answer(backend);
      expect(world.faults).toEqual(['The GPU failed: device lost.']);
      expect(world.devices).toEqual(['gpu', 'cpu']);
      expect(logged[0]).toContain('on the CPU from now on. The GPU failed: device lost.');
    });

    it('logs why chats are answered by weights that are not rounded', async () => {
      const { backend, tellers } = openOn();
      await answer(backend);
      tellers[0]!.onNotRounded('ENOSPC: no space left on device');
      expect(logged).toEqual([
        'Chats use 32-bit weights for now, because 8-bit ones could not be kept: ENOSPC: no space left on device',
      ]);
    });

    it('does not take it for the fault of the GPU that a process was ended', async () => {
      const { backend, world } = openOn();
      await answer(backend);
      await backend.close();
      expect([started[0]!.closed, world.faults]).toEqual([true, []]);
    });

    it('starts its model elsewhere, once it is idle, where that has become faster', async () => {
      const clock = createVirtualClock();
      const { backend, world } = openOn(clock);
      world.wanted = { type: 'cpu' };
      await answer(backend);
      await clock.pass(10 * 60_000);
      expect([started[0]!.unloads, started[0]!.closed]).toEqual([1, false]);
      await answer(backend);
      world.wanted = GPU;
      await answer(backend);
      expect(world.devices).toEqual(['cpu']);
      await clock.pass(10 * 60_000);
      expect([started[0]!.unloads, started[0]!.closed]).toEqual([1, true]);
      await answer(backend);
      expect(world.devices).toEqual(['cpu', 'gpu']);
    });
  });

  it('reports that the model cannot be opened, and the reason only in the log', async () => {
    const broken = open();
    const answers = [answer(broken), answer(broken)];
    await Promise.resolve();
    started[0]!.refuse('/model/config.json is missing.');
    const reason = { code: 'engine_unavailable', message: expect.not.stringContaining('/model') };
    for (const end of await Promise.allSettled([...answers, answer(broken)]))
      expect(end).toMatchObject({ status: 'rejected', reason });
    expect(logged).toEqual(['The model cannot be opened: /model/config.json is missing.']);
    expect(broken.state).toBe('failed');
  });
});

it('a hung process is reported, and a new one answers what waits and ends with the backend', async () => {
  const modelFolder = await makeModelFolder();
  const started: ServingProcess[] = [];
  const clock = createVirtualClock();
  const backend = createLocalBackend({
    modelFolder,
    threads: 1,
    // Its processes may take as long as they need to start.
    clock: createVirtualClock(),
    log: () => {},
    start: options => {
      started.push(startServing(options, { clock }));
      return started.at(-1)!;
    },
  });
  /** What is generated. How much of the prompt was cached depends on what the process answered before. */
  const output = async () => (await answer(backend)).map(piece => piece.finishReason ?? piece);
  const before = await output();
  const begun = begin(backend, { ...task, maxTokens: 400 });
  await begun.next();
  process.kill(started[0]!.pid, 'SIGSTOP');
  const waiting = output();
  const finish = async () => {
    while (!(await begun.next()).done);
  };
  const broken = expect(finish()).rejects.toMatchObject({ code: 'engine_unavailable' });
  await clock.pass(6000);
  expect(backend.state).toBe('hung');
  await clock.pass(6000);
  await broken;
  expect(await waiting).toEqual(before);
  expect([backend.state, started.length]).toEqual(['ready', 2]);
  await backend.close();
  expect(await started[1]!.ended).toMatchObject({ exitCode: 0 });
  await rm(modelFolder, { recursive: true, force: true });
}, 60_000);

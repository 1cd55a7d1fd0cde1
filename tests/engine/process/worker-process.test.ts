import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { getPriority, setPriority } from 'node:os';
import { afterEach, expect, it, vi } from 'vitest';
import { startFileReader } from '../../../lib/engine/files/index.js';
import { startTraining } from '../../../lib/engine/process/start-training.js';
import { startWorker } from '../../../lib/engine/process/worker-process.js';
import { findDiskFault } from '../../../lib/system/index.js';

vi.mock(import('node:child_process'), async load => ({ ...(await load()), fork: vi.fn() }));
vi.mock(import('node:os'), async load => ({ ...(await load()), getPriority: vi.fn(), setPriority: vi.fn() }));
afterEach(() => {
  for (const mocked of [fork, getPriority, setPriority]) vi.mocked(mocked).mockReset();
});

const failure = (code: string) => Object.assign(new Error(`spawn ${code}`), { code });

function throwAtStart(code: string): void {
  vi.mocked(fork).mockImplementation(() => {
    throw failure(code);
  });
}

function tellLater(code: string): void {
  vi.mocked(fork).mockImplementation(() => {
    const child = Object.assign(new EventEmitter(), { ref() {}, unref() {} }) as unknown as ChildProcess;
    setImmediate(() => child.emit('error', failure(code)));
    return child;
  });
}

it.each([
  ['EMFILE', tellLater],
  ['EAGAIN', tellLater],
  ['ENOMEM', throwAtStart],
])(
  'a run that cannot be started for want of what %s means is interrupted, not failed',
  async (code, fail) => {
    fail(code);
    const run = startTraining({} as never, () => {});
    run.kill();
    expect(await run.ended).toEqual({ status: 'interrupted', diskFault: code, exitCode: null, signal: null });
  },
);

it('a program that is missing is no shortage', async () => {
  const limits = { silentMs: 60_000, busyMs: 60_000 };
  tellLater('ENOENT');
  expect(await startWorker(() => {}, { limits }).ended).toEqual({ exitCode: null, signal: null });
  throwAtStart('EINVAL');
  expect(() => startWorker(() => {}, { limits })).toThrow('EINVAL');
});

it('the shortage that keeps a process that reads files from starting is told as what it is', async () => {
  tellLater('EMFILE');
  const reading = startFileReader().run('digestFile', { path: 'x' }, { caller: 'us' });
  expect(findDiskFault(await reading.catch((error: unknown) => error))).toBe('EMFILE');
  expect(fork).toHaveBeenCalledTimes(1);
});

it('a run has ended once its last message is here, which can come after its process is known to have exited', async () => {
  const child = Object.assign(new EventEmitter(), { send() {}, connected: true });
  vi.mocked(fork).mockReturnValue(child as unknown as ChildProcess);
  const run = startTraining({} as never, () => {});
  child.emit('exit', 0, null);
  await new Promise(setImmediate);
  child.emit('message', { type: 'done', status: 'completed' });
  child.emit('disconnect');
  expect(await run.ended).toEqual({ status: 'completed', exitCode: 0, signal: null });
});

function startAtPriority(priority: number) {
  const child = Object.assign(new EventEmitter(), { pid: 2 ** 30, send() {}, connected: false });
  vi.mocked(fork).mockReturnValue(child as unknown as ChildProcess);
  vi.mocked(getPriority).mockReturnValue(priority);
  const run = startTraining({} as never, () => {});
  child.emit('exit', 0, null);
  return run.ended;
}

it('a run has a lower priority than other programs, and keeps one that is lower still', async () => {
  await startAtPriority(0);
  expect(vi.mocked(setPriority).mock.calls).toEqual([[2 ** 30, 10]]);
  await startAtPriority(15);
  expect(setPriority).toHaveBeenCalledTimes(1);
});

it('a run starts though its priority cannot be lowered', async () => {
  vi.mocked(setPriority).mockImplementation(() => {
    throw failure('EACCES');
  });
  expect(await startAtPriority(0)).toMatchObject({ exitCode: 0 });
});

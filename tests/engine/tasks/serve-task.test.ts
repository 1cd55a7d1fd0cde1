// A served model in this process, so that its memory can be looked at.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { baseModelFolder } from '../../../lib/base-model/index.js';
import type { FromWorker } from '../../../lib/engine/process/messages.js';
import { type Serving, startService } from '../../../lib/engine/tasks/serve-task.js';
import { collectGarbage } from '../../../lib/system/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { tinyModel } from '../tiny-model.js';

let serving: Serving;
const waiting = new Map<number, (message: FromWorker) => void>();
beforeAll(async () => {
  const receive = (message: FromWorker) => {
    if (message.type === 'ended' || message.type === 'failed') waiting.get(message.id!)?.(message);
  };
  serving = await startService({ modelFolder: baseModelFolder(), threads: 1 }, receive, () => () => {});
});
afterAll(() => serving.close());

function chat(id: number, content: string): Promise<FromWorker> {
  const task = { messages: [{ role: 'user', content }], adapterFolder: null, maxTokens: 1 };
  const ended = new Promise<FromWorker>(resolve => waiting.set(id, resolve));
  serving.receive({ type: 'ask', id, kind: 'chat', task });
  return ended;
}

/** Resolves once it has asked for a garbage collection. */
function unload(): Promise<void> {
  return new Promise(resolve => {
    const observer = new PerformanceObserver(list => {
      const entries = list.getEntries() as (PerformanceEntry & { detail: { flags: number } })[];
      if (!entries.some(({ detail }) => detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED)) return;
      observer.disconnect();
      resolve();
    });
    observer.observe({ entryTypes: ['gc'] });
    serving.receive({ type: 'unload' });
  });
}

/** Of what is still used: V8 frees buffers in another thread, and the next collection waits for that. */
function bytes(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

it('gives back what it kept of earlier chats when it is unloaded, and answers again', async () => {
  const before = bytes();
  for (const id of [1, 2, 3, 4])
    expect(await chat(id, `${id} is a number. `.repeat(100))).toEqual({ type: 'ended', id });
  const kept = bytes() - before;
  expect(kept).toBeGreaterThan(8 * 2 ** 20);
  await unload();
  expect(bytes() - before).toBeLessThan(kept / 4);
  expect(await chat(5, 'Hello')).toEqual({ type: 'ended', id: 5 });
});

it('opens the model in float32 if rounded weights cannot be kept, unless it must be rounded', async () => {
  // Nothing can be written there, and the error says what that of a full disk does.
  const full = join(temporaryFolder('svc-full'), 'no space left on device');
  await writeFile(full, '');
  const task = { modelFolder: await tinyModel(), threads: 1, roundedFolder: join(full, 'rounded') };
  const told: FromWorker[] = [];
  const open = (weights: 'auto' | 'int8') =>
    startService(
      { ...task, weights },
      message => void told.push(message),
      () => () => {},
    );
  const opened = await open('auto');
  await opened.close();
  const reason = expect.stringContaining('no space left on device');
  expect(told.slice(-2)).toEqual([{ type: 'not-rounded', reason }, { type: 'serving' }]);
  await expect(open('int8')).rejects.toThrow('no space left on device');
});

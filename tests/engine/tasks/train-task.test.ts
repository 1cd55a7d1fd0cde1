// What a training task reports, in this process. `tests/engine/worker.test.ts` has what takes a process.
import fs, { existsSync } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type JobEvent, jobEvent } from '../../../lib/contract/index.js';
import type { TrainTask } from '../../../lib/engine/index.js';
import { runTraining } from '../../../lib/engine/tasks/train-task.js';
import { readAdapter } from '../../../lib/engine/weights/index.js';
import { makeTask } from './make-task.js';

async function run(task: TrainTask) {
  const raw: object[] = [];
  let status = '';
  const { signal } = new AbortController();
  await runTraining(
    task,
    async message => {
      if (message.type === 'event') raw.push(message.event);
      if (message.type === 'done') status = message.status;
    },
    { signal, pause: signal },
  );
  const events = raw.map(event => jobEvent.parse(event) as JobEvent);
  return { raw, events, status, types: events.map(({ type }) => type) };
}

describe('a training task', () => {
  it('reports events of the contract', async () => {
    const { events, status, types } = await run(await makeTask({ saveSteps: 4 }));
    const log = 'training.log';
    const saved = [log, log, log, log, 'checkpoint.saved', log, log];
    expect([status, ...types]).toEqual(['completed', 'training.started', ...saved, 'training.completed']);
    const about = { jobId: 'job-1', model: 'svc/tiny', dataset: 'rows.jsonl', totalSteps: 6 };
    expect(events[0]).toMatchObject({ ...about, rows: expect.any(Number) });
    for (const event of events.filter(({ type }) => type === log)) {
      const { tokens, memoryBytes, cpuPercent } = event as unknown as Record<string, number>;
      expect(tokens).toBeGreaterThan(0);
      expect(memoryBytes).toBeGreaterThan(10 * 1024 ** 2);
      expect(cpuPercent).toBeGreaterThanOrEqual(0);
    }
  });

  it('lists every checkpoint at the end, and each can be read', async () => {
    const task = await makeTask({ saveSteps: 1, keepCheckpoints: 2 });
    const last = (await run(task)).events.at(-1)!;
    if (last.type !== 'training.completed') throw new Error(`It ended with ${last.type}.`);
    expect(last.artifacts.map(({ name, kind, step }) => [name, kind, step])).toEqual([
      ...[1, 2, 3, 4, 5].map(step => [`checkpoint-${step}`, 'checkpoint', step]),
      ['final', 'final', 6],
    ]);
    for (const { name } of last.artifacts) await readAdapter(join(task.request.folder, name));
  });

  it('has one file of its checkpoints open at a time, however many there are', async () => {
    const task = await makeTask({ saveSteps: 1 });
    const { open, close } = fs;
    const opened = new Set<number>();
    let most = 0;
    type Opened = (error: Error | null, fd: number) => void;
    const openNoted = (path: string, ...rest: [flags: string, mode: number, onOpened: Opened]) => {
      const onOpened = rest.pop() as Opened;
      const note: Opened = (error, fd) => {
        if (!error && path.startsWith(task.request.folder)) most = Math.max(most, opened.add(fd).size);
        onOpened(error, fd);
      };
      open(path, ...(rest as unknown as [string, number]), note);
    };
    const spies = [
      vi.spyOn(fs, 'open').mockImplementation(openNoted as typeof open),
      vi.spyOn(fs, 'close').mockImplementation((fd, onClosed) => {
        opened.delete(fd);
        close(fd, onClosed);
      }),
    ];
    onTestFinished(() => {
      for (const spy of spies) spy.mockRestore();
    });
    const { events } = await run(task);
    expect(events.at(-1)).toMatchObject({ artifacts: { length: 6 } });
    expect(most).toBe(1);
  });

  it('reports damaged checkpoints that it could not resume from', async () => {
    const task = await makeTask({ maxSteps: 5, saveSteps: 3 });
    await run(task);
    await truncate(join(task.request.folder, 'checkpoint-3', 'optimizer.safetensors'), 100);
    const { events, status } = await run(task);
    expect(status).toBe('completed');
    expect(events[0]).toMatchObject({ damagedCheckpoints: [3] });
    expect(events[0]).not.toHaveProperty('resumedFromStep');
  });

  it('runs one step and keeps nothing in a trial', async () => {
    const task = await makeTask();
    const { events, status, types } = await run({ ...task, dryRun: true });
    expect([status, ...types]).toEqual([
      'completed',
      'training.started',
      'training.log',
      'training.completed',
    ]);
    expect(events.at(-1)).toMatchObject({ artifacts: [] });
    expect(existsSync(task.request.folder)).toBe(false);
  });

  it.each([
    [{ messages: [{ role: 'user', content: 'x' }] }, /^rows\.jsonl, row 1: .*assistant/],
    [{ color: 'red' }, /^rows\.jsonl.*color/],
  ])('reports what is wrong with a row: %j', async (row, reason) => {
    const { events, status } = await run(await makeTask({}, [row]));
    expect(status).toBe('failed');
    expect(events).toMatchObject([{ type: 'training.failed', error: expect.stringMatching(reason) }]);
  });

  it('reports with a code that its folder holds another run', async () => {
    const task = await makeTask({ saveSteps: 3 });
    await run(task);
    const options = { ...task.request.options, loraR: 2 };
    const { raw, status } = await run({ ...task, request: { ...task.request, options } });
    expect(status).toBe('failed');
    expect(raw.at(-1)).toMatchObject({ type: 'training.failed', code: 'other_run' });
  });

  it('reports what is wrong with a model', async () => {
    const task = await makeTask();
    await writeFile(join(task.request.modelFolder, 'config.json'), '{"model_type":"mamba"}');
    const error = expect.stringContaining('model_type "mamba" is not supported');
    expect((await run(task)).events.at(-1)).toMatchObject({ error });
  });
});

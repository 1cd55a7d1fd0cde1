// The parts of a batch that meet faults: a busy engine, one that crashes, and results that were cut off.
import { appendFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Supervisor } from '../../../lib/cloud/backends/supervisor.js';
import { toApiError } from '../../../lib/cloud/engine-faults.js';
import { answerLine, BatchStop } from '../../../lib/cloud/project-api/batches/answer-line.js';
import { type BatchResult, openResultLog } from '../../../lib/cloud/project-api/batches/result-log.js';
import { splitLines } from '../../../lib/cloud/project-api/batches/split-lines.js';
import type { BackendState } from '../../../lib/cloud/seams/backend.js';
import { ApiError, type ErrorCode } from '../../../lib/contract/index.js';
import { createMutex } from '../../../lib/system/index.js';
import { diskFull, fileHandles } from '../../support/file-handles.js';
import { createHastyClock } from '../../support/hasty-clock.js';
import { quickFolder } from '../../support/quick-folder.js';
import { scriptedProcess } from '../backends/scripted-process.js';

describe('a request', () => {
  const line = { custom_id: 'a', method: 'POST' as const, url: '', body: {} };
  const backend = { state: 'ready' as const };
  const context = { backend, clock: createHastyClock(), log: () => {}, alone: createMutex() };

  it.each<[ErrorCode, failures: number, status: number]>([
    ['engine_busy', 20, 200],
    ['storage_unavailable', 20, 200],
    ['conversation_locked', 20, 200],
    ['engine_unavailable', 4, 200],
    ['engine_unavailable', 5, 503],
    ['adapter_damaged', 1, 503],
    ['invalid_value', 1, 400],
  ])('that fails with %s %d times is answered with %d', async (code, failures, status) => {
    let left = failures;
    const operate = async () => {
      if (left-- > 0) throw new ApiError(code, 'No.');
      return Response.json({});
    };
    const { signal } = new AbortController();
    const { response } = await answerLine(context, operate, line, signal);
    expect(response).toMatchObject({ status_code: status, body: status === 200 ? {} : { error: { code } } });
  });

  it('that meets a fault of the disk is answered once that has passed', async () => {
    let tries = 0;
    const operate = async () => {
      if (++tries < 10) throw Object.assign(new Error('open'), { code: 'EMFILE' });
      return Response.json({});
    };
    const { response } = await answerLine(context, operate, line, new AbortController().signal);
    expect([response?.status_code, tries]).toEqual([200, 10]);
  });

  it('waits for a model that cannot be opened, until the batch is stopped', async () => {
    const stop = new AbortController();
    let tries = 0;
    const operate = async () => {
      if (++tries === 50) stop.abort(new BatchStop('batch_expired'));
      throw new ApiError('engine_unavailable', 'No.');
    };
    const failing = { ...context, backend: { state: 'failed' as const } };
    await expect(answerLine(failing, operate, line, stop.signal)).rejects.toBeInstanceOf(BatchStop);
    expect(tries).toBe(50);
  });

  it('waits for an engine that hangs and refuses it at once', async () => {
    let left = 20;
    const backend = {
      get state(): BackendState {
        return left > 0 ? 'hung' : 'ready';
      },
    };
    const operate = async () => {
      if (left-- > 0) throw new ApiError('engine_unavailable', 'No.');
      return Response.json({});
    };
    const { signal } = new AbortController();
    const { response } = await answerLine({ ...context, backend }, operate, line, signal);
    expect(response).toMatchObject({ status_code: 200 });
  });

  it('is refused once the engine has died of it five times, although the engine is not restarted at once by then', async () => {
    const clock = createHastyClock();
    const start = () => {
      const process = scriptedProcess();
      process.becomeReady();
      return process;
    };
    const supervisor = new Supervisor({ start, log: () => {}, clock });
    onTestFinished(() => supervisor.close());
    const stop = new AbortController();
    let deaths = 0;
    const operate = async (_body: object, signal: AbortSignal) => {
      const { serving } = await supervisor.acquire(signal).catch(error => {
        throw toApiError(error, { conversation: 'messages' });
      });
      if (++deaths === 20) stop.abort(new BatchStop('batch_expired'));
      await serving.close();
      await serving.ended;
      throw new ApiError('engine_unavailable', 'The engine stopped.');
    };
    const dying = { ...context, backend: supervisor, clock };
    const { response } = await answerLine(dying, operate, line, stop.signal);
    expect([response?.status_code, deaths, supervisor.state]).toEqual([503, 5, 'failed']);
  });

  it('is answered although one beside it ends the engine each time', async () => {
    const inside = new Set<string>();
    const operate = async ({ name }: { name?: string }) => {
      inside.add(name!);
      await new Promise(setImmediate);
      const isOver = inside.has('killer');
      inside.delete(name!);
      if (isOver) throw new ApiError('engine_unavailable', 'The engine stopped.');
      return Response.json({});
    };
    const { signal } = new AbortController();
    const answers = ['a', 'killer', 'b'].map(name =>
      answerLine(context, operate, { ...line, body: { name } }, signal),
    );
    const statuses = (await Promise.all(answers)).map(({ response }) => response?.status_code);
    expect(statuses).toEqual([200, 503, 200]);
  });
});

describe('the results so far', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(quickFolder, 'svc-batch-'));
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await rm(folder, { recursive: true });
  });

  const result = (custom_id: string, status_code = 200): BatchResult => ({
    id: `batch_req_${custom_id}`,
    custom_id,
    response: {
      status_code,
      request_id: '',
      body: { text: '\u2028\r', usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 } },
    },
    error: null,
  });

  it('leave no file open if one of the two cannot be opened', async () => {
    await mkdir(join(folder, 'error.jsonl'));
    const closing = vi.spyOn(await fileHandles(), 'sync');
    await expect(openResultLog(folder)).rejects.toMatchObject({ code: 'EISDIR' });
    expect(closing).toHaveBeenCalledTimes(1);
  });

  it('leave no file open if one of the two cannot be closed', async () => {
    const log = await openResultLog(folder);
    const closing = vi.spyOn(await fileHandles(), 'sync').mockRejectedValueOnce(diskFull());
    await expect(log.close()).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(closing).toHaveBeenCalledTimes(2);
  });

  it.each(['{"id":"batch_req_b","custom_id":"b"', '{"id"\n{"id":"x"}\n', '\0\0\0\n'])(
    'are read again up to a line that was cut off or damaged: %j',
    async rest => {
      const first = await openResultLog(folder);
      await first.add(result('a'));
      await first.add(result('c', 400));
      const { output } = await first.close();
      const intact = await readFile(output!, 'utf8');
      await appendFile(output!, rest);
      const second = await openResultLog(folder);
      expect(['a', 'b', 'c'].map(second.has)).toEqual([true, false, true]);
      expect(second.counts).toEqual({ completed: 1, failed: 1 });
      expect(second.usage).toMatchObject({ input_tokens: 4, output_tokens: 2, total_tokens: 6 });
      await second.add(result('b'));
      await second.close();
      expect(await readFile(output!, 'utf8')).toBe(`${intact}${JSON.stringify(result('b'))}\n`);
    },
  );
});

it('lines are split at line feeds alone, wherever chunks end, and none is held that is too long', async () => {
  const bytes = Buffer.from('ab\n\n \r\ncdé\u2028\nlonger than that\nz');
  for (const size of [1, 3, 100]) {
    const chunks = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    const found: unknown[] = [];
    for await (const line of splitLines(chunks(), 8))
      found.push([line.number, line.bytes && Buffer.from(line.bytes).toString()]);
    expect(found).toEqual([
      [1, 'ab'],
      [4, 'cdé\u2028'],
      [5, null],
      [6, 'z'],
    ]);
  }
});

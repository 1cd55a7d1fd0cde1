// A model run that never returns, in a real process: the main thread is blocked, but the heartbeat continues.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { realClock } from '../../lib/clock/index.js';
import { type ChatTask, type Piece, type ServingProcess, startServing } from '../../lib/engine/index.js';
import { makeModelFolder } from '../support/tiny-model.js';
import { until } from '../support/until.js';

const hook = new URL('./process/hang-in-a-run.mjs', import.meta.url).href;
const task: ChatTask = {
  messages: [{ role: 'user', content: 'hello' }],
  adapterFolder: null,
  temperature: 0,
  maxTokens: 400,
};

/** On which the process is never silent for long: only the limit of model runs matters. */
const clock = { ...realClock, elapsed: () => 0 };

let modelFolder: string;
let folder: string;
let hang: string;
beforeAll(async () => {
  modelFolder = await makeModelFolder();
  folder = await mkdtemp(join(tmpdir(), 'svc-hung-'));
  hang = join(folder, 'hang');
});
afterAll(async () => {
  for (const path of [modelFolder, folder]) await rm(path, { recursive: true, force: true });
});
beforeEach(() => rm(hang, { force: true }));

function start(runLimitMs: number): ServingProcess {
  const before = process.env.NODE_OPTIONS;
  Object.assign(process.env, { SVC_TEST_HANG: hang, NODE_OPTIONS: `${before ?? ''} --import ${hook}` });
  try {
    return startServing({ modelFolder, threads: 1, runLimitMs }, clock);
  } finally {
    delete process.env.SVC_TEST_HANG;
    if (before === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = before;
  }
}

/** Hangs the model after a few pieces, and returns the error that ends the chat. */
async function chatUntilHung(serving: ServingProcess): Promise<unknown> {
  let pieces = 0;
  try {
    for await (const _ of serving.ask('chat', task)) if (++pieces === 3) await writeFile(hang, '');
    return 'answered';
  } catch (error) {
    return error;
  }
}

async function collect(pieces: AsyncIterable<Piece>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece.text;
  return text;
}

const unavailable = expect.objectContaining({
  code: 'engine_unavailable',
  message: expect.stringContaining('does not respond'),
});

describe('a model run that takes too long', () => {
  it('fails its callers and counts as hung, until it ends', async () => {
    const serving = start(3000);
    try {
      await serving.ready;
      const whole = await collect(serving.ask('chat', task));
      expect(await chatUntilHung(serving)).toEqual(unavailable);
      expect(serving.isHung).toBe(true);
      await expect(collect(serving.ask('chat', task))).rejects.toEqual(unavailable);
      await rm(hang);
      await until(() => serving.isHung).toBe(false);
      expect(await collect(serving.ask('chat', task))).toBe(whole);
    } finally {
      await rm(hang, { force: true });
      await serving.close();
    }
  }, 60_000);

  it('gets its process killed if it continues', async () => {
    const serving = start(2000);
    await serving.ready;
    expect(await chatUntilHung(serving)).toEqual(unavailable);
    expect(await serving.ended).toEqual({ exitCode: null, signal: 'SIGKILL', hung: true });
  }, 60_000);
});

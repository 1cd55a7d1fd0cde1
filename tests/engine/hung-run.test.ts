// A model run that never returns, in a real process: the main thread is blocked, but the heartbeat continues.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { realClock } from '../../lib/clock/index.js';
import { startServing } from '../../lib/engine/index.js';
import type { ChatTask } from '../../lib/engine/process/messages.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { tinyModel } from './tiny-model.js';

const modelFolder = await tinyModel();

describe('a model run that takes too long', () => {
  const messages = [{ role: 'user', content: 'hello' }];
  const task: ChatTask = { messages, adapterFolder: null, temperature: 0, maxTokens: 400 };
  /** On which the process is never silent for long: only the limit of model runs matters. */
  const clock = { ...realClock, elapsed: () => 0 };
  const fault = { code: 'engine_unavailable', message: expect.stringContaining('does not respond') };

  /** Model runs never return while the file `hang` exists, which is written after a few pieces of a chat. */
  function startHanging(runLimitMs: number) {
    const hang = join(temporaryFolder('svc-hung'), 'hang');
    const hook = new URL('./process/hang-in-a-run.mjs', import.meta.url).href;
    vi.stubEnv('SVC_TEST_HANG', hang);
    vi.stubEnv('NODE_OPTIONS', `${process.env.NODE_OPTIONS ?? ''} --import ${hook}`);
    const hanging = startServing({ modelFolder, threads: 1, runLimitMs }, { clock });
    vi.unstubAllEnvs();
    onTestFinished(async () => {
      await rm(hang, { force: true });
      await hanging.close();
    });
    const chatUntilHung = async () => {
      let pieces = 0;
      for await (const _ of hanging.ask('chat', task)) if (++pieces === 3) await writeFile(hang, '');
    };
    return { hanging, hang, chatUntilHung };
  }

  it('fails its callers and counts as hung, until it ends', async () => {
    const { hanging, hang, chatUntilHung } = startHanging(3000);
    await hanging.ready;
    const ids = async () => {
      const all: number[] = [];
      for await (const { tokenIds } of hanging.ask('chat', task)) all.push(...tokenIds);
      return all;
    };
    const whole = await ids();
    await expect(chatUntilHung()).rejects.toMatchObject(fault);
    expect(hanging.isHung).toBe(true);
    await expect(ids()).rejects.toMatchObject(fault);
    await rm(hang);
    await until(() => hanging.isHung).toBe(false);
    expect(await ids()).toEqual(whole);
  }, 60_000);

  it('gets its process killed if it continues', async () => {
    const { hanging, chatUntilHung } = startHanging(2000);
    await hanging.ready;
    await expect(chatUntilHung()).rejects.toMatchObject(fault);
    expect(await hanging.ended).toEqual({ exitCode: null, signal: 'SIGKILL', hung: true });
  }, 60_000);
});

// The uploader in ONNX Runtime never starts. If it does, it stores a device id under the home folder at once, so each
// process here gets an empty home folder and an environment that turns the uploader on.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FromWorker, ToWorker } from '../../../lib/engine/process/messages.js';
import { findProgram } from '../../../lib/system/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { bundleTestProgram } from '../../support/test-program.js';
import { makeModelFolder } from '../../support/tiny-model.js';

let home: string;
beforeEach(() => {
  home = temporaryFolder('svc-silent');
});

/** Inherits nothing: the uploader also stays off if `CI` is set. */
const loud = () => ({ PATH: process.env.PATH, HOME: home, TMPDIR: home, ORT_DISABLE_TELEMETRY: '0' });

const program = await bundleTestProgram(fileURLToPath(new URL('runtime-program.ts', import.meta.url)));

async function run(use: string): Promise<string[]> {
  await promisify(execFile)(process.execPath, [program, use], { env: loud() });
  return readdir(home);
}

describe('a session', () => {
  it('stores nothing, even if the program clears the setting first', async () => {
    expect(await run('openSession')).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('without the setting would store a device id', async () => {
    expect(await run('openWithoutSetting')).toContain(process.platform === 'darwin' ? 'Library' : '.cache');
  });

  it('is refused in a worker thread, where the setting would not reach the library', async () => {
    await expect(run('openInThread')).rejects.toThrow('must be loaded on the main thread');
  });
});

describe("the engine's process", () => {
  it('stores nothing', async () => {
    const modelFolder = await makeModelFolder();
    const { path, execArgv } = findProgram('lib/engine/worker');
    const child = fork(path, { env: loud(), execArgv, serialization: 'advanced' });
    try {
      child.send({ type: 'serve', task: { modelFolder } } satisfies ToWorker);
      const [message] = (await once(child, 'message')) as [FromWorker];
      expect(message.type).toBe('serving');
      // The first chat creates a session.
      const ended = new Promise<FromWorker>(resolve =>
        child.on('message', (told: FromWorker) => told.type !== 'output' && resolve(told)),
      );
      const messages = [{ role: 'user', content: 'Hello' }];
      const task = { messages, adapterFolder: null, maxTokens: 2 };
      child.send({ type: 'ask', id: 1, kind: 'chat', task } satisfies ToWorker);
      expect((await ended).type).toBe('ended');
      expect((await readdir(home)).filter(name => !name.startsWith('tsx-'))).toEqual([]);
    } finally {
      child.disconnect();
      await once(child, 'exit');
      await rm(modelFolder, { recursive: true, force: true });
    }
  });
});

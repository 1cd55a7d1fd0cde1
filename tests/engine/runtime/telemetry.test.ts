// The uploader in ONNX Runtime never starts. If it does, it stores a device id under the home folder at once, so each
// process here gets an empty home folder and an environment that turns the uploader on.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FromWorker, ToWorker } from '../../../lib/engine/process/messages.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { makeModelFolder } from '../../support/tiny-model.js';

const tsx = createRequire(import.meta.url).resolve('tsx');
const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

let home: string;
beforeEach(() => {
  home = temporaryFolder('svc-silent');
});

/** Inherits nothing: the uploader also stays off if `CI` is set. */
const loud = () => ({ PATH: process.env.PATH, HOME: home, TMPDIR: home, ORT_DISABLE_TELEMETRY: '0' });

async function run(program: string): Promise<string[]> {
  const args = ['--import', tsx, '--input-type=module', '--eval', program];
  await promisify(execFile)(process.execPath, args, { cwd: at('.'), env: loud() });
  return listHome();
}

/** Without tsx's cache. */
async function listHome(): Promise<string[]> {
  return (await readdir(home)).filter(name => !name.startsWith('tsx-'));
}

const graph = `
  const { GraphBuilder, matMul } = await import(${JSON.stringify(at('lib/engine/graph/index.ts'))});
  const { toOnnx } = await import(${JSON.stringify(at('lib/engine/onnx/index.ts'))});
  const graph = new GraphBuilder();
  graph.output('square', matMul(graph, graph.input('a', 'float32', [2, 2]), graph.input('b', 'float32', [2, 2])));
`;

describe('a session', () => {
  it('stores nothing, even if the program clears the setting first', async () => {
    const left = await run(`${graph}
      const { createSession } = await import(${JSON.stringify(at('lib/engine/runtime/index.ts'))});
      delete process.env.ORT_DISABLE_TELEMETRY;
      await (await createSession(graph)).close();
    `);
    expect(left).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('without the setting would store a device id', async () => {
    const left = await run(`${graph}
      const { InferenceSession } = (await import('onnxruntime-node')).default;
      await (await InferenceSession.create(toOnnx(graph))).release();
    `);
    expect(left).toContain(process.platform === 'darwin' ? 'Library' : '.cache');
  });

  it('is refused in a worker thread, where the setting would not reach the library', async () => {
    const thread = `
      import('tsx/esm/api').then(({ register }) => {
        register();
        return import(${JSON.stringify(at('lib/engine/runtime/index.ts'))});
      });
    `;
    const program = `
      const { Worker } = await import('node:worker_threads');
      new Worker(${JSON.stringify(thread)}, { eval: true });
    `;
    await expect(run(program)).rejects.toThrow('must be loaded on the main thread');
  });
});

describe("the engine's process", () => {
  async function serve(worker: string, execArgv: string[]): Promise<string[]> {
    const modelFolder = await makeModelFolder();
    const child = fork(worker, { env: loud(), execArgv, serialization: 'advanced' });
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
      return await listHome();
    } finally {
      child.disconnect();
      await once(child, 'exit');
      await rm(modelFolder, { recursive: true, force: true });
    }
  }

  it.each([
    ['run from source', 'lib/engine/worker.ts', ['--import', tsx]],
    ['built', 'dist/lib/engine/worker.js', []],
  ])('stores nothing when %s', async (_, worker, args) => {
    expect(existsSync(at(worker)), 'run `npm run build` first').toBe(true);
    expect(await serve(at(worker), args)).toEqual([]);
  });
});

// An adapter's way through a real local cloud: in, out again in each form, and the merged model as a cloud's base model.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Job } from '../../../lib/contract/index.js';
import { type Home, openHome } from '../../sdk/local-cloud/homes.js';
import { makeAdapterFolder } from '../../support/sample-adapter.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { callCli } from '../support/terminal.js';

let home: Home;
let model: string;
let cwd: string;
beforeAll(async () => {
  [home, model, cwd] = [
    await openHome(),
    await makeModelFolder(),
    await mkdtemp(join(tmpdir(), 'svc-trip-')),
  ];
  const settings = { base_model_name_or_path: basename(model) };
  await makeAdapterFolder(join(cwd, 'mine'), model, { settings });
  // Rounded weights would be others than the merged ones rounded.
  await svc('cloud', 'start', '--base-weights', 'f32', '--base-model', model);
});
afterAll(async () => {
  await home.close();
  for (const folder of [model, cwd]) await rm(folder, { recursive: true, maxRetries: 3 });
});

/** What it prints; it must succeed. */
async function svc(...words: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await callCli(words, { cwd, env: home.env });
  expect([exitCode, exitCode === 0 ? '' : stderr]).toEqual([0, '']);
  return stdout;
}

const ask = (...words: string[]) =>
  svc('chat', ...words, '--temperature', '0', '--max-tokens', '16', 'hello there');

it('goes in, is chatted with, comes out as it was, and answers the same merged', async () => {
  const { job } = JSON.parse(await svc('adapters', 'import', 'mine', '--json')) as { job: Job };
  expect(await svc('jobs', 'list')).toContain(job.id);
  expect(await svc('jobs', 'show', job.id)).toMatch(/^\* imported {7}true$/m);
  expect(await svc('jobs', 'logs', job.id)).toMatch(
    /training\.completed {2}1 artifact, imported\n.* end .*completed/,
  );
  await svc('jobs', 'wait', job.id);
  const [said, plain] = [await ask('--job', job.id), await ask()];
  expect(said).not.toBe(plain);

  await svc('jobs', 'download', job.id, '--out', 'again');
  for (const name of ['adapter_config.json', 'adapter_model.safetensors'])
    expect((await readFile(join(cwd, 'again', name))).equals(await readFile(join(cwd, 'mine', name)))).toBe(
      true,
    );
  await svc('jobs', 'download', job.id, '--format', 'gguf', '--out', 'mine.gguf');
  expect((await readFile(join(cwd, 'mine.gguf'))).subarray(0, 4).toString()).toBe('GGUF');

  await svc('jobs', 'download', job.id, '--merged', '--out', 'merged');
  await svc('cloud', 'stop');
  await svc('cloud', 'start', '--base-weights', 'f32', '--base-model', join(cwd, 'merged'));
  expect(await ask()).toBe(said);
});

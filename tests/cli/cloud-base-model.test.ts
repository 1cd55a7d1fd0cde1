// svc cloud start with a base model that the engine cannot run: said at once, not at each chat.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startModelHub } from '../engine/hub/model-hub.js';
import { findProcesses, type Home, openHome } from '../sdk/local-cloud/homes.js';
import { callCli } from '../support/cli.js';
import { makeModelFolder } from '../support/tiny-model.js';

let model: string;
let home: Home;
beforeAll(async () => {
  model = await makeModelFolder();
  home = await openHome();
});
afterAll(async () => {
  await home.close();
  await rm(model, { recursive: true });
});

const call = (...words: string[]) => callCli(['cloud', ...words], { env: home.env });

describe('a base model that the engine cannot run', () => {
  const GEMMA = '{"model_type":"gemma"}';
  const refusal = 'model_type "gemma" is not supported; llama, qwen2 and qwen3 are.';

  it('is refused before anything is started, and before anything is to be stopped', async () => {
    const gemma = await makeModelFolder();
    await writeFile(join(gemma, 'config.json'), GEMMA);
    const refused = { exitCode: 1, stdout: '', stderr: `svc: ${join(gemma, 'config.json')}: ${refusal}\n` };
    for (const where of [[], ['--foreground']])
      expect(await call('start', ...where, '--base-model', gemma)).toEqual(refused);
    expect(await findProcesses(home.folder)).toEqual([]);
    expect((await call('start', '--base-model', model)).exitCode).toBe(0);
    expect(await call('start', '--base-model', gemma)).toEqual(refused);
    await call('stop');
    await rm(join(gemma, 'tokenizer.json'));
    await rm(join(gemma, 'model.safetensors'));
    expect((await call('start', '--base-model', gemma)).stderr).toContain(
      'is missing tokenizer.json, model.safetensors.',
    );
    await rm(gemma, { recursive: true });
  });

  it('is refused on the Hub as soon as its config is known', async () => {
    const files = { 'tokenizer.json': '{}', 'tokenizer_config.json': '{}', 'model.safetensors': 'weights' };
    const contents = Object.entries({ ...files, 'config.json': GEMMA });
    const hub = await startModelHub(
      'acme/gemma',
      Object.fromEntries(contents.map(([name, text]) => [name, Buffer.from(text)])),
    );
    const env = { ...home.env, HF_ENDPOINT: hub.url };
    const { exitCode, stderr } = await callCli(['cloud', 'start', '--base-model', 'acme/gemma'], { env });
    hub.close();
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`acme/gemma cannot be used: config.json: ${refusal}\n`);
    expect(hub.requests.filter(line => line.includes('/resolve/') && !line.includes('config.json'))).toEqual(
      [],
    );
    expect(await findProcesses(home.folder)).toEqual([]);
  });
});

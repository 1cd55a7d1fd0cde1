// svc jobs download --npm, and how a program that installed the package has its adapter served.
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, cp, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Job, TaskDescription } from '../../../lib/contract/index.js';
import { openSession } from '../../../lib/sdk/index.js';
import { serveAdapter } from '../../../lib/sdk/serve-adapter.js';
import { type Home, openHome } from '../../sdk/local-cloud/homes.js';
import { makeAdapterFolder } from '../../support/sample-adapter.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { makeTar } from '../support/make-tar.js';
import { misuse, projectOfEach } from '../support/project.js';
import { callCli } from '../support/terminal.js';

const task: TaskDescription = {
  name: 'triage',
  kind: 'labels',
  input: { type: 'string' },
  output: { enum: ['bug', 'wish'] },
  labels: ['bug', 'wish'],
};

describe('svc jobs download --npm', () => {
  const project = projectOfEach({ isLinked: true });
  beforeEach(() => {
    project.addJob({ task }).archives.final = makeTar([
      { path: 'adapter_config.json', content: '{}' },
      { path: 'adapter_model.safetensors', content: 'w' },
    ]);
  });

  it('refuses an adapter that has another digest than the cloud says, and leaves nothing', async () => {
    const { exitCode, stderr } = await project.svc('jobs download 1a2b --npm --out here');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'svc: The downloaded adapter does not have the digest that the cloud says.\n',
    });
    expect(
      readdirSync(project.cwd).filter(name => name.includes('here') || name.includes('download')),
    ).toEqual([]);
  });

  it('does not touch a folder with something in it', async () => {
    await project.write('here/mine.txt', 'mine');
    expect(await project.svc('jobs download 1a2b --npm --out here')).toMatchObject({
      exitCode: 1,
      stderr: `svc: ${project.path('here')} is not empty. Move it, or choose another folder with --out.\n`,
    });
    expect(readdirSync(project.path('here'))).toEqual(['mine.txt']);
  });

  it.each([
    ['--npm --merged', 'option "--npm" cannot be combined with "--merged".'],
    ['--npm --format gguf', 'option "--npm" cannot be combined with "--format".'],
    ['--name @me/triage', 'option "--name" requires "--npm".'],
    ['--npm --name Triage', 'option "--name" must be the name of an npm package'],
  ])('refuses %s', async (options, message) => {
    expect(await project.svc(`jobs download 1a2b ${options}`)).toMatchObject(misuse(message));
  });
});

describe('an adapter in a package', () => {
  const cwd = temporaryFolder('svc-npm');
  let home: Home;
  let model: string;
  let adapter: { name: string; folder: string; sha256: string; baseModel: string };
  beforeAll(async () => {
    [home, model] = [await openHome(), await makeModelFolder()];
    const settings = { base_model_name_or_path: basename(model) };
    await makeAdapterFolder(join(cwd, 'mine'), model, { settings });
    await call(`cloud start --base-weights f32 --base-model ${model}`);
    const { job } = JSON.parse(await call('adapters import mine --json')) as { job: Job };
    await call(`jobs download ${job.id} --npm --name @me/mine --out package`);
    const { adapter: facts } = JSON.parse(await readFile(join(cwd, 'package/package.json'), 'utf8'));
    adapter = { ...facts, name: '@me/mine', folder: join(cwd, 'package/adapter') };
  });
  afterAll(async () => {
    await home.close();
    await rm(model, { recursive: true, maxRetries: 3 });
  });

  async function call(line: string): Promise<string> {
    const { exitCode, stdout, stderr } = await callCli(line.split(' '), { cwd, env: home.env });
    expect([exitCode, exitCode === 0 ? '' : stderr]).toEqual([0, '']);
    return stdout;
  }

  /** A program's environment, whose user otherwise works with another cloud. */
  const env = () => ({ ...home.env, SVC_CLOUD_URL: 'https://cloud.example' });
  const packages = () => openSession({ folder: join(home.path, 'packages'), env: home.env }).projectClient();

  it('has the files as they were', async () => {
    for (const name of ['adapter_config.json', 'adapter_model.safetensors'])
      expect(await readFile(join(adapter.folder, name))).toEqual(await readFile(join(cwd, 'mine', name)));
    expect(adapter).toMatchObject({
      baseModel: basename(model),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('is imported once, by programs that start together, too, and answers at an endpoint', async () => {
    const [url, ...others] = await Promise.all([1, 2, 3].map(() => serveAdapter(adapter, env())));
    expect(url).toMatch(/^http:\/\/.*\/v1$/);
    expect(new Set(others)).toEqual(new Set([url]));
    const cloud = await packages();
    const { jobs } = await cloud.listJobs();
    expect(jobs.map(({ name }) => name)).toEqual([`@me/mine ${adapter.sha256.slice(0, 12)}`]);
    const response = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'any',
        messages: [{ role: 'user', content: 'hello' }],
        max_completion_tokens: 16,
        temperature: 0,
      }),
    });
    const { choices } = (await response.json()) as { choices: [{ message: { content: string } }] };
    const [{ id }] = jobs as [(typeof jobs)[0]];
    const { choices: direct } = await cloud.chat({
      messages: [{ role: 'user', content: 'hello' }],
      adapter: { kind: 'final', jobId: id },
      maxTokens: 16,
      temperature: 0,
    });
    expect(choices[0].message.content).toBe(direct[0]!.message.content);
    expect(existsSync(join(cwd, '.svc', 'packages'))).toBe(false);
  });

  it('finds its import again when the endpoint was deleted or turned off', async () => {
    const url = await serveAdapter(adapter, env());
    const cloud = await packages();
    const find = async () => (await cloud.listDeployments()).deployments;
    const [deployment] = await find();
    await cloud.updateDeployment(deployment!.id, { enabled: false });
    expect(await serveAdapter(adapter, env())).toBe(url);
    expect((await find())[0]!.enabled).toBe(true);
    await cloud.deleteDeployment(deployment!.id);
    expect(await serveAdapter(adapter, env())).toBe(url);
    expect((await cloud.listJobs()).jobs).toHaveLength(1);
  });

  it('is not used if its files were changed, or for another base model', async () => {
    const folder = join(cwd, 'changed');
    await cp(adapter.folder, folder, { recursive: true });
    await appendFile(join(folder, 'adapter_config.json'), ' ');
    await expect(serveAdapter({ ...adapter, folder }, env())).rejects.toThrow(
      /^The adapter of @me\/mine has the digest [0-9a-f]{64}, not [0-9a-f]{64}\. Install the package again\.$/,
    );
    await rm(join(folder, 'adapter_model.safetensors'));
    await expect(serveAdapter({ ...adapter, folder }, env())).rejects.toThrow(`is not complete in ${folder}`);
    await expect(serveAdapter({ ...adapter, baseModel: 'a/b' }, env())).rejects.toThrow(
      `@me/mine needs the base model a/b, but the local cloud serves ${basename(model)}.`,
    );
  });
});

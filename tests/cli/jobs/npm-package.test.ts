// svc jobs download --npm, and how a program that installed the package has its adapter served.
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, cp, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Job, TaskDescription } from '../../../lib/contract/index.js';
import { openSession } from '../../../lib/sdk/index.js';
import { type ServedAdapter, serveAdapter } from '../../../lib/sdk/serve-adapter.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { adapterCloud } from '../support/adapter-cloud.js';
import { makeTar } from '../support/make-tar.js';
import { misuse, projectOfEach } from '../support/project.js';

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

describe('an adapter in a package', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  const cloud = adapterCloud();
  const path = (...names: string[]) => join(cloud.home.path, ...names);
  let adapter: Required<ServedAdapter>;
  beforeAll(async () => {
    const { job } = JSON.parse(await cloud.call('adapters import mine --enable-thinking false --json')) as {
      job: Job;
    };
    await cloud.call(`jobs download ${job.id} --npm --name @me/mine --out package`);
    const { adapter: facts } = JSON.parse(await readFile(path('package/package.json'), 'utf8'));
    adapter = { ...facts, name: '@me/mine', folder: path('package/adapter'), enableThinking: false };
  }, JOURNEY_TIMEOUT_MS);

  /** A program's environment, whose user otherwise works with another cloud. */
  const env = () => ({ ...cloud.home.env, SVC_CLOUD_URL: 'https://cloud.example' });
  const packages = () => openSession({ folder: path('packages'), env: cloud.home.env }).projectClient();

  it('has the files as they were', async () => {
    for (const name of ['adapter_config.json', 'adapter_model.safetensors'])
      expect(await readFile(join(adapter.folder, name))).toEqual(await readFile(path('mine', name)));
    expect(await readFile(path('package/index.js'), 'utf8')).toMatch(/"?enableThinking"?: ?false/);
    expect(adapter).toMatchObject({
      baseModel: basename(cloud.model),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('is imported once, by programs that start together, too, and answers at an endpoint', async () => {
    const [url, ...others] = await Promise.all([1, 2, 3].map(() => serveAdapter(adapter, env())));
    expect(url).toMatch(/^http:\/\/.*\/v1$/);
    expect(new Set(others)).toEqual(new Set([url]));
    const project = await packages();
    const jobs = (await project.listJobs()).jobs.filter(({ name }) => name.startsWith('@me/mine'));
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
    const { choices: direct } = await project.chat({
      messages: [{ role: 'user', content: 'hello' }],
      adapter: { kind: 'final', jobId: id },
      maxTokens: 16,
      temperature: 0,
    });
    expect(choices[0].message.content).toBe(direct[0]!.message.content);
    expect((await project.getJob(id)).job.config?.enableThinking).toBe(false);
    expect(existsSync(path('.svc', 'packages'))).toBe(false);
  });

  it('finds its import again when the endpoint was deleted or turned off', async () => {
    const url = await serveAdapter(adapter, env());
    const project = await packages();
    const find = async () =>
      (await project.listDeployments()).deployments.filter(({ slug }) => slug.startsWith('mine-'));
    const [deployment] = await find();
    await project.updateDeployment(deployment!.id, { enabled: false });
    expect(await serveAdapter(adapter, env())).toBe(url);
    expect((await find())[0]!.enabled).toBe(true);
    await project.deleteDeployment(deployment!.id);
    expect(await serveAdapter(adapter, env())).toBe(url);
    const { jobs } = await project.listJobs();
    expect(jobs.filter(({ name }) => name.startsWith('@me/mine'))).toHaveLength(1);
  });

  it('has an import and an endpoint of its own for how it thinks', async () => {
    const other = { ...adapter, name: '@me/other' };
    const [served, thinking] = [other, { ...other, enableThinking: true }];
    const urls = await Promise.all([served, thinking, served].map(one => serveAdapter(one, env())));
    expect(urls.map(url => urls.indexOf(url))).toEqual([0, 1, 0]);
    const project = await packages();
    const { jobs } = await project.listJobs();
    const all = await Promise.all(jobs.map(({ id }) => project.getJob(id)));
    const own = all.filter(({ job }) => job.name.startsWith('@me/other'));
    expect(own.map(({ job }) => job.config?.enableThinking).sort()).toEqual([false, true]);
  });

  it('is not used if its files were changed', async () => {
    const folder = path('changed');
    await cp(adapter.folder, folder, { recursive: true });
    await appendFile(join(folder, 'adapter_config.json'), ' ');
    await expect(serveAdapter({ ...adapter, folder }, env())).rejects.toThrow(
      /^The adapter of @me\/mine has the digest [0-9a-f]{64}, not [0-9a-f]{64}\. Install the package again\.$/,
    );
    await rm(join(folder, 'adapter_model.safetensors'));
    await expect(serveAdapter({ ...adapter, folder }, env())).rejects.toThrow(`is not complete in ${folder}`);
  });

  it('is used on the files of the base model that it was trained on, whatever their name, and on no others', async () => {
    const { baseModel: name, baseModelDigest: digest } = adapter;
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    const served = `but the local cloud serves ${name} (${digest.slice(0, 12)}).`;
    const changed = { ...adapter, baseModelDigest: '0'.repeat(64) };
    await expect(serveAdapter(changed, env())).rejects.toThrow(
      `@me/mine needs the base model ${name} (000000000000), ${served} The adapter was trained on other files of that name.`,
    );
    await expect(serveAdapter({ ...changed, baseModel: 'a/b' }, env())).rejects.toThrow(
      `@me/mine needs the base model a/b (000000000000), ${served} Run "svc cloud stop", then "svc cloud start --base-model a/b".`,
    );
    expect(await serveAdapter({ ...adapter, baseModel: 'a/b' }, env())).toMatch(/\/v1$/);
    const { baseModelDigest: _, ...older } = adapter;
    expect(await serveAdapter(older, env())).toMatch(/\/v1$/);
    await expect(serveAdapter({ ...older, baseModel: 'a/b' }, env())).rejects.toThrow(
      `@me/mine needs the base model a/b, ${served}`,
    );
  });
});

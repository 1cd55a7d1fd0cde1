// svc adapters import against a cloud in memory, and an adapter's way through a real one: in, out again in each form, and the
// merged model as a cloud's base model.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError, type Job } from '../../lib/contract/index.js';
import { readTar } from '../../lib/tar/index.js';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import { adapterCloud } from './support/adapter-cloud.js';
import { projectOfEach } from './support/project.js';

const project = projectOfEach({ isLinked: true });
const { svc } = project;
beforeEach(async () => {
  await project.write('Mine/adapter_config.json', '{"r":8}');
  await project.write('Mine/adapter_model.safetensors', 'w'.repeat(300_000));
  await project.write('Mine/README.md', 'not sent');
});

it('sends the two files of the folder, and names the job after it', async () => {
  const { exitCode, stdout, stderr } = await svc('adapters import ./Mine');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const [{ job, archives }] = project.cloud.jobs as [(typeof project.cloud.jobs)[number]];
  const id = job.id.slice(0, 8);
  expect(stdout).toMatch(
    new RegExp(
      `^Imported Mine \\(${id}\\), 30\\d(\\.\\d)? kB\\.\\nTo chat with it, run: .* chat --job ${id}\\n$`,
    ),
  );
  const sent: string[] = [];
  for await (const { path, content } of readTar(new Blob([archives.final!]).stream())) {
    expect((await buffer(content)).equals(readFileSync(project.path('Mine', path)))).toBe(true);
    sent.push(path);
  }
  expect(sent).toEqual(['adapter_config.json', 'adapter_model.safetensors']);
});

it('takes another name, and prints the job for scripts', async () => {
  const options = ['--name', 'from elsewhere', '--same-base-model', '--enable-thinking', 'false', '--json'];
  const { stdout } = await svc(['adapters', 'import', 'Mine', ...options]);
  const { job } = project.cloud.jobs[0]!;
  expect(JSON.parse(stdout)).toEqual({ job });
  expect(job.name).toBe('from elsewhere');
  const { query, headers } = project.cloud.requests.at(-1)!;
  expect(query).toContain('sameBaseModel=true&enableThinking=false');
  expect(headers.get('idempotency-key')).toBeTruthy();
});

it('says what an adapter is when a file is missing', async () => {
  mkdirSync(project.path('half'));
  writeFileSync(project.path('half/adapter_config.json'), '{}');
  mkdirSync(project.path('odd/adapter_config.json'), { recursive: true });
  const parts = 'An adapter is a folder with adapter_config.json and adapter_model.safetensors.';
  for (const [folder, problem] of [
    ['half', 'half/adapter_model.safetensors does not exist'],
    ['none', 'none/adapter_config.json does not exist'],
    ['Mine/README.md', 'Mine/README.md/adapter_config.json does not exist'],
    ['odd', 'odd/adapter_config.json is not a file'],
  ])
    expect(await svc(`adapters import ${folder}`)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `svc: ${project.path(problem!)}. ${parts}\n`,
    });
  expect(project.cloud.calls).toEqual([]);
});

describe('an adapter that names its base model otherwise', () => {
  const other = projectOfEach({
    isLinked: true,
    routes: {
      importAdapter: () => {
        throw new ApiError('model_not_supported', 'adapter_config.json has `x` as its base model.');
      },
    },
  });

  it('is taken with an option, which is named', async () => {
    expect(await other.svc(`adapters import ${project.path('Mine')}`)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'svc: adapter_config.json has `x` as its base model.\nIf both are the same model, add --same-base-model.\n',
    });
  });
});

describe('a real local cloud', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  const cloud = adapterCloud();
  const { call } = cloud;
  const ask = (model = '') => call(`chat --temperature 0 --max-tokens 16 hello${model}`);
  const read = (...path: string[]) => readFileSync(join(cloud.home.path, ...path));

  it('takes an adapter in, which is chatted with, comes out as it was in each form, and answers the same merged', async () => {
    const { job } = JSON.parse(await call('adapters import mine --json')) as { job: Job };
    expect(await call('jobs list')).toContain(job.id);
    expect(await call(`jobs show ${job.id}`)).toMatch(/^\* imported {7}true$/m);
    expect(await call(`jobs logs ${job.id}`)).toMatch(
      /training\.completed {2}1 artifact, imported\n.* end .*completed/,
    );
    await call(`jobs wait ${job.id}`);
    const said = await ask(` --job ${job.id}`);
    expect(said).not.toBe(await ask());

    await call(`jobs download ${job.id} --out again`);
    for (const name of ['adapter_config.json', 'adapter_model.safetensors'])
      expect(read('again', name).equals(read('mine', name))).toBe(true);
    await call(`jobs download ${job.id} --format gguf --out mine.gguf`);
    expect(read('mine.gguf').subarray(0, 4).toString()).toBe('GGUF');

    await call(`jobs download ${job.id} --merged --out merged`);
    await call('cloud stop');
    await cloud.start(join(cloud.home.path, 'merged'));
    expect(await ask()).toBe(said);
  });
});

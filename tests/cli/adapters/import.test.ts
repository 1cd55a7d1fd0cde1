// svc adapters import, against a cloud in memory.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApiError } from '../../../lib/contract/index.js';
import { readTar } from '../../../lib/tar/index.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { callCli } from '../support/terminal.js';

let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
  await project.link();
  await project.write('Mine/adapter_config.json', '{"r":8}');
  await project.write('Mine/adapter_model.safetensors', 'w'.repeat(300_000));
  await project.write('Mine/README.md', 'not sent');
});
afterEach(() => project.close());

const svc = (...words: string[]) =>
  callCli(['adapters', 'import', ...words], { cwd: project.cwd, env: project.env });

it('sends the two files of the folder, and names the job after it', async () => {
  const { exitCode, stdout, stderr } = await svc('./Mine');
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
    expect((await buffer(content)).equals(readFileSync(join(project.cwd, 'Mine', path)))).toBe(true);
    sent.push(path);
  }
  expect(sent).toEqual(['adapter_config.json', 'adapter_model.safetensors']);
});

it('takes another name, and prints the job for scripts', async () => {
  const { stdout } = await svc('Mine', '--name', 'from elsewhere', '--same-base-model', '--json');
  const { job } = project.cloud.jobs[0]!;
  expect(JSON.parse(stdout)).toEqual({ job });
  expect(job.name).toBe('from elsewhere');
  const { query, headers } = project.cloud.requests.at(-1)!;
  expect(query).toContain('sameBaseModel=true');
  expect(headers.get('idempotency-key')).toBeTruthy();
});

it('says what an adapter is when a file is missing', async () => {
  mkdirSync(join(project.cwd, 'half'));
  writeFileSync(join(project.cwd, 'half/adapter_config.json'), '{}');
  const parts = 'An adapter is a folder with adapter_config.json and adapter_model.safetensors.';
  expect(await svc('half')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `svc: ${join(project.cwd, 'half/adapter_model.safetensors')} does not exist. ${parts}\n`,
  });
  expect((await svc('none')).stderr).toContain(`none/adapter_config.json does not exist. ${parts}\n`);
  expect((await svc('Mine/README.md')).stderr).toContain('adapter_config.json does not exist.');
  mkdirSync(join(project.cwd, 'half/adapter_model.safetensors'));
  expect((await svc('half')).stderr).toContain('adapter_model.safetensors is not a file.');
  expect(project.cloud.calls).toEqual([]);
});

it('refuses a name that no job may have before anything is sent', async () => {
  const { exitCode, stderr } = await svc('Mine', '--name', 'x'.repeat(101));
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--name');
  expect(project.cloud.calls).toEqual([]);
});

it('says which option takes an adapter that names its base model otherwise', async () => {
  const own = await openRemoteProject({
    importAdapter: () => {
      throw new ApiError('model_not_supported', 'adapter_config.json has `x` as its base model.');
    },
  });
  await own.link();
  const folder = join(project.cwd, 'Mine');
  const { exitCode, stderr } = await callCli(['adapters', 'import', folder], { cwd: own.cwd, env: own.env });
  await own.close();
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr:
      'svc: adapter_config.json has `x` as its base model.\nIf both are the same model, add --same-base-model.\n',
  });
});

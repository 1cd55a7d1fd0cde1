// svc jobs download --format gguf and --merged, against a cloud in memory that has a real adapter of the tiny model.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBaseModel } from '../../../lib/cloud/index.js';
import { openModel } from '../../../lib/engine/model/index.js';
import { toTarBlob } from '../../../lib/tar/index.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { makeAdapterFolder } from '../../support/sample-adapter.js';
import { sampleJob } from '../../support/samples.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { callCli } from '../support/terminal.js';

const ID = '1a2b3c4d-0000-4000-8000-000000000001';

let model: string;
let archive: Uint8Array<ArrayBuffer>;
let digest: string | null;
beforeAll(async () => {
  model = await makeModelFolder();
  const folder = await makeAdapterFolder(join(model, 'adapter'), model);
  const read = (name: string) => ({ name, content: new Blob([readFileSync(join(folder, name))]) });
  const tar = toTarBlob(['adapter_config.json', 'adapter_model.safetensors'].map(read));
  archive = new Uint8Array(await tar.arrayBuffer());
});
afterAll(() => rm(model, { recursive: true }));

let project: RemoteProject;
beforeEach(async () => {
  digest = openBaseModel(model).digest!;
  project = await openRemoteProject({
    downloadArtifact: () =>
      new Response(archive, { headers: digest === null ? {} : { 'x-svc-base-model-digest': digest } }),
  });
  await project.link();
  const job = sampleJob({ id: ID, name: 'Triage', status: 'completed', config: { model: 'acme/tiny' } });
  project.cloud.jobs.push({ job, events: [], archives: { final: archive } });
});
afterEach(() => project.close());

const download = (...words: string[]) =>
  callCli(['jobs', 'download', ID, ...words], { cwd: project.cwd, env: project.env });
const withModel = (...words: string[]) => download(...words, '--base-model', model);
const refused = (stderr: string) => ({ exitCode: 1, stdout: '', stderr: `svc: ${stderr}\n` });
const left = () => readdirSync(project.cwd).filter(name => name !== '.svc');

describe('as GGUF', () => {
  it('is one file, named after the job, or as told', async () => {
    const path = join(project.cwd, 'triage-final.gguf');
    const { exitCode, stdout, stderr } = await withModel('--format', 'gguf');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^\/.*\/triage-final\.gguf {2}\d.* kB, final adapter as GGUF\n$/);
    expect(readFileSync(path).subarray(0, 4).toString()).toBe('GGUF');
    mkdirSync(join(project.cwd, 'models'));
    expect(
      JSON.parse((await withModel('--format', 'gguf', '--out', 'models', '--json')).stdout),
    ).toMatchObject({
      artifact: { name: 'final' },
      folder: join(project.cwd, 'models'),
      files: ['triage-final.gguf'],
    });
    await withModel('--format', 'gguf', '--out', 'deep/mine.gguf');
    expect(readFileSync(join(project.cwd, 'deep/mine.gguf')).equals(readFileSync(path))).toBe(true);
  });

  it('is named without the colors that a path brings along', async () => {
    const { stdout } = await withModel('--format', 'gguf', '--out', '\u001b[31mred.gguf');
    expect(stdout).toContain('red.gguf');
    expect(stdout).not.toContain('\u001b');
  });

  it('is written over no file', async () => {
    const path = join(project.cwd, 'mine');
    writeFileSync(path, 'mine');
    expect(await withModel('--format', 'gguf', '--out', 'mine')).toEqual(
      refused(`${path} already exists. Move it, or choose another file with --out.`),
    );
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect(left()).toEqual(['mine']);
  });
});

describe('merged', () => {
  it('is a folder with a whole model, which can be a base model', async () => {
    const { exitCode, stdout, stderr } = await withModel('--merged');
    const folder = join(project.cwd, 'triage-final-merged');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: 'Merging the adapter into its base model…\n',
    });
    expect(stdout).toMatch(
      new RegExp(`^${folder} {2}\\d files, \\d.* kB, final adapter merged into its base model\\n$`),
    );
    await openModel(folder);
    const opened = openBaseModel(folder);
    expect(opened.digest).not.toBe(digest);
    expect(readFileSync(join(folder, 'tokenizer.json'))).toEqual(readFileSync(join(model, 'tokenizer.json')));
    expect(existsSync(join(folder, 'adapter_config.json'))).toBe(false);
    expect(left()).toEqual(['triage-final-merged']);
  });

  it('is written into no folder that has anything in it, but into an empty one', async () => {
    await project.write('there/mine', 'mine');
    const path = join(project.cwd, 'there');
    expect(await withModel('--merged', '--out', 'there')).toEqual(
      refused(`${path} is not empty. Move it, or choose another folder with --out.`),
    );
    expect(readdirSync(path)).toEqual(['mine']);
    mkdirSync(join(project.cwd, 'empty'));
    expect(await withModel('--merged', '--out', 'empty')).toMatchObject({ exitCode: 0 });
    expect(readdirSync(join(project.cwd, 'empty'))).toContain('model.safetensors');
  });
});

describe.each([['--merged'], ['--format=gguf']])('the base model for %s', option => {
  it('must be named if it is not on this machine', async () => {
    expect(await download(option)).toEqual(
      refused(
        'The base model of this cloud, acme/tiny, may not be on this machine. Name it with --base-model: a folder, or a name on the Hugging Face Hub.',
      ),
    );
    expect(left()).toEqual([]);
  });

  it('must have the weights that the adapter is for', async () => {
    digest = '0'.repeat(64);
    expect(await withModel(option)).toEqual(
      refused(
        `The base model in ${model} is not the one that the adapter is for, acme/tiny. Choose that one with --base-model.`,
      ),
    );
    expect(left()).toEqual([]);
    digest = null;
    expect(await withModel(option)).toMatchObject({ exitCode: 0 });
  });

  it('must have a shape that the adapter fits', async () => {
    digest = null;
    const other = await makeModelFolder();
    const config = JSON.parse(readFileSync(join(other, 'config.json'), 'utf8')) as object;
    writeFileSync(join(other, 'config.json'), JSON.stringify({ ...config, num_hidden_layers: 1 }));
    const { exitCode, stderr } = await download(option, '--base-model', other);
    await rm(other, { recursive: true });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("is beyond the model's 1 layers");
    expect(left()).toEqual([]);
  });
});

it.each([
  [['--merged', '--format', 'gguf'], 'option "--merged" cannot be combined with "--format gguf"'],
  [['--base-model', 'x'], 'option "--base-model" requires "--merged" or "--format gguf"'],
  [['--format', 'onnx'], '--format'],
])('refuses %j', async (words, message) => {
  const { exitCode, stderr } = await download(...words);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});

// svc jobs download --format gguf and --merged, against a cloud in memory that has a real adapter of the tiny model.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBaseModel } from '../../../lib/cloud/index.js';
import { openModel } from '../../../lib/engine/model/index.js';
import { toTarBlob } from '../../../lib/tar/index.js';
import { makeAdapterFolder } from '../../support/sample-adapter.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { projectOfEach } from '../support/project.js';

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

const project = projectOfEach({
  isLinked: true,
  routes: {
    downloadArtifact: () =>
      new Response(archive, { headers: digest === null ? {} : { 'x-svc-base-model-digest': digest } }),
  },
});
beforeEach(() => {
  digest = openBaseModel(model).digest!;
  project.addJob({ name: 'Triage', config: { model: 'acme/tiny' } }).archives = { final: archive };
});

const download = (...options: string[]) => project.svc(['jobs', 'download', '1a2b', ...options]);
const withModel = (...options: string[]) => download(...options, '--base-model', model);
const refused = (stderr: string) => ({ exitCode: 1, stdout: '', stderr: `svc: ${stderr}\n` });
const left = () => readdirSync(project.cwd).filter(name => name !== '.svc');

describe('as GGUF', () => {
  it('is one file, named after the job, or as told', async () => {
    const path = project.path('triage-final.gguf');
    expect(await withModel('--format', 'gguf')).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^\/.*\/triage-final\.gguf {2}\d.* kB, final adapter as GGUF\n$/),
      stderr: '',
    });
    expect(readFileSync(path).subarray(0, 4).toString()).toBe('GGUF');
    mkdirSync(project.path('models'));
    const { stdout } = await withModel('--format', 'gguf', '--out', 'models', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      artifact: { name: 'final' },
      folder: project.path('models'),
      files: ['triage-final.gguf'],
    });
    const named = await withModel('--format', 'gguf', '--out', 'deep/\u001b[31mmine.gguf');
    expect(named.stdout).toContain('deep/mine.gguf');
    expect(named.stdout).not.toContain('\u001b');
    expect(readFileSync(project.path('deep/\u001b[31mmine.gguf')).equals(readFileSync(path))).toBe(true);
  });

  it('is written over no file', async () => {
    writeFileSync(project.path('mine'), 'mine');
    expect(await withModel('--format', 'gguf', '--out', 'mine')).toEqual(
      refused(`${project.path('mine')} already exists. Move it, or choose another file with --out.`),
    );
    expect(readFileSync(project.path('mine'), 'utf8')).toBe('mine');
    expect(left()).toEqual(['mine']);
  });
});

describe('merged', () => {
  it('is a folder with a whole model, which can be a base model', async () => {
    const folder = project.path('triage-final-merged');
    expect(await withModel('--merged')).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(
        new RegExp(`^${folder} {2}\\d files, \\d.* kB, final adapter merged into its base model\\n$`),
      ),
      stderr: 'Merging the adapter into its base model…\n',
    });
    await openModel(folder);
    expect(openBaseModel(folder).digest).not.toBe(digest);
    expect(readFileSync(join(folder, 'tokenizer.json'))).toEqual(readFileSync(join(model, 'tokenizer.json')));
    expect(existsSync(join(folder, 'adapter_config.json'))).toBe(false);
    expect(left()).toEqual(['triage-final-merged']);
  });

  it('is written into no folder that has anything in it, but into an empty one', async () => {
    await project.write('there/mine', 'mine');
    expect(await withModel('--merged', '--out', 'there')).toEqual(
      refused(`${project.path('there')} is not empty. Move it, or choose another folder with --out.`),
    );
    expect(readdirSync(project.path('there'))).toEqual(['mine']);
    mkdirSync(project.path('empty'));
    expect(await withModel('--merged', '--out', 'empty')).toMatchObject({ exitCode: 0 });
    expect(readdirSync(project.path('empty'))).toContain('model.safetensors');
  });
});

describe.each(['--merged', '--format=gguf'])('the base model for %s', option => {
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
});

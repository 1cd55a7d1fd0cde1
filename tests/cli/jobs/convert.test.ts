// svc jobs download --format gguf, --format mlx and --merged, against a cloud in memory that has a real adapter of the tiny model.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBaseModel } from '../../../lib/cloud/index.js';
import { describeGguf } from '../../../lib/engine/gguf/index.js';
import { convertGguf } from '../../../lib/engine/index.js';
import { openModel } from '../../../lib/engine/model/index.js';
import { openWeightsFile, readAdapter } from '../../../lib/engine/weights/index.js';
import { makeAdapterFolder, packAdapter } from '../../support/sample-adapter.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { projectOfEach } from '../support/project.js';

let model: string;
let archive: Uint8Array<ArrayBuffer>;
let digest: string | null;
beforeAll(async () => {
  model = await makeModelFolder();
  archive = await packAdapter(await makeAdapterFolder(join(model, 'adapter'), model));
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

describe('merged as GGUF', () => {
  it('is a folder with one file of the whole model, and a Modelfile', async () => {
    const folder = project.path('triage-final-gguf');
    expect(await withModel('--format', 'gguf', '--merged')).toEqual({
      exitCode: 0,
      stdout: `${folder}  2 files, 460.2 kB, final adapter merged into its base model, as GGUF\n`,
      stderr: `Merging the adapter into its base model, as GGUF…\n${[25, 50, 75, 100].map(percent => `Writing: ${percent}%\n`).join('')}`,
    });
    expect(readdirSync(folder).sort()).toEqual(['Modelfile', 'triage-final-f32.gguf']);
    const modelfile = readFileSync(join(folder, 'Modelfile'), 'utf8');
    expect(modelfile).toMatch(
      /^FROM \.\/triage-final-f32\.gguf\nTEMPLATE """.*<\|im_start\|>assistant\n{{ end }}"""\n/s,
    );
    expect(modelfile).toMatch(/"""\nPARAMETER stop "<\|endoftext\|>"\nPARAMETER stop "<\|im_end\|>"\n$/);
    expect(await describeGguf(join(folder, 'triage-final-f32.gguf'))).toMatchObject({
      architecture: 'llama',
      formats: ['F32'],
    });
    expect(left()).toEqual(['triage-final-gguf']);
  });

  it('says so if Ollama cannot have its chat template', async () => {
    const path = join(model, 'chat_template.jinja');
    writeFileSync(path, '{{ messages[0].content }}');
    const { stderr } = await withModel('--format', 'gguf', '--merged').finally(() => rm(path));
    expect(stderr).toContain("! Ollama cannot have this model's chat template");
    expect(readFileSync(project.path('triage-final-gguf/Modelfile'), 'utf8')).not.toContain('TEMPLATE');
  });

  it('is rounded, and can be a base model', async () => {
    const { stdout } = await withModel('--format', 'gguf', '--merged', '--quantize', 'q8_0', '--json');
    const { folder, files } = JSON.parse(stdout);
    expect(files).toEqual(['triage-final-q8_0.gguf', 'Modelfile']);
    const file = join(folder, files[0]);
    expect((await describeGguf(file)).formats).toEqual(['Q8_0', 'F16', 'F32']);
    await convertGguf(file, project.path('read'), () => undefined);
    await openModel(openBaseModel(project.path('read')).folder);
  });
});

it.each([['--merged'], ['--merged', '--format', 'gguf']])(
  'thinks as it was trained to: %s %s',
  async (...options) => {
    const path = join(model, 'chat_template.jinja');
    const template = "{{ messages[0].content }}{{ '<think>' if enable_thinking is not false }}";
    writeFileSync(path, template);
    project.cloud.jobs[0]!.job.config = { model: 'acme/tiny', enableThinking: false } as never;
    const { stdout } = await withModel(...options, '--json').finally(() => rm(path));
    const { folder, files } = JSON.parse(stdout);
    const written = readFileSync(join(folder, options.length > 1 ? files[0] : 'chat_template.jinja'), 'utf8');
    expect(written).toContain(`{%- set enable_thinking = false %}${template}`);
  },
);

it('for mlx-lm, is a folder with its names and shapes', async () => {
  const folder = project.path('triage-final-mlx');
  expect((await withModel('--format', 'mlx')).stdout).toMatch(
    new RegExp(`^${folder} {2}2 files, \\d.* kB, final adapter for mlx-lm\\n$`),
  );
  const config = JSON.parse(readFileSync(join(folder, 'adapter_config.json'), 'utf8'));
  const keys = ['q_proj', 'k_proj', 'v_proj', 'o_proj'].map(name => `self_attn.${name}`);
  keys.push(...['gate_proj', 'up_proj', 'down_proj'].map(name => `mlp.${name}`));
  expect(config).toEqual({
    fine_tune_type: 'lora',
    num_layers: 2,
    lora_parameters: { rank: 4, scale: 2, dropout: 0, keys },
  });
  const weights = await openWeightsFile(join(folder, 'adapters.safetensors'));
  expect(weights.names()).toHaveLength(2 * 2 * 7);
  const { tensors } = await readAdapter(join(model, 'adapter'));
  for (const { layer, module, a, b } of tensors) {
    const key = keys.find(key => key.endsWith(module))!;
    const read = async (half: string) => {
      const name = `model.layers.${layer}.${key}.lora_${half}`;
      return { shape: weights.describe(name).shape, values: await weights.readFloat32(name) };
    };
    const [lower, upper] = [await read('a'), await read('b')];
    expect([lower.shape, upper.shape]).toEqual([
      [a.length / 4, 4],
      [4, b.length / 4],
    ]);
    expect([lower.values[1], upper.values[1]]).toEqual([a[lower.shape[0]!], b[4]]);
  }
});

describe.each([['--merged'], ['--format=gguf'], ['--format=gguf', '--merged'], ['--format=mlx']])(
  'the base model for %s %s',
  (...options) => {
    it('must be named if it is not on this machine', async () => {
      expect(await download(...options)).toEqual(
        refused(
          'The base model of this cloud, acme/tiny, may not be on this machine. Name it with --base-model: a folder, or a name on the Hugging Face Hub.',
        ),
      );
      expect(left()).toEqual([]);
    });

    it('must have the weights that the adapter is for', async () => {
      digest = '0'.repeat(64);
      expect(await withModel(...options)).toEqual(
        refused(
          `The base model in ${model} is not the one that the adapter is for, acme/tiny. Choose that one with --base-model.`,
        ),
      );
      expect(left()).toEqual([]);
      digest = null;
      expect(await withModel(...options)).toMatchObject({ exitCode: 0 });
    });
  },
);

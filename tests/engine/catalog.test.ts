// What is known of a model without running it.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { describeModel } from '../../lib/engine/index.js';
import { ggufOfModel } from '../support/gguf-of-model.js';
import { openGoldenModel } from '../support/golden-models.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { encodeGguf } from '../support/write-gguf.js';

let home: string;
let folder: string;
beforeEach(async () => {
  home = temporaryFolder('svc-catalog');
  folder = join(home, 'model');
  cpSync((await openGoldenModel('qwen3')).folder, folder, { recursive: true });
  for (const name of ['tokenizer.json', 'tokenizer_config.json']) write(name, '{}');
});

const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
const describeFolder = () => describeModel({ path: folder });

describe('a folder', () => {
  it('has its facts in its settings and headers, also through links', async () => {
    const facts = await describeFolder();
    expect(facts).toMatchObject({ architecture: 'qwen3', weightFormat: 'F32', license: null, problem: null });
    expect(facts.bytes).toBeGreaterThan(4 * facts.parameters!);
    const { training, chat } = facts.memory!;
    expect(training.f32).toBeGreaterThan(training.int8);
    expect(training.int8).toBeGreaterThan(chat.int8);
    const links = join(home, 'links');
    mkdirSync(links);
    for (const name of readdirSync(folder)) symlinkSync(join(folder, name), join(links, name));
    expect(await describeModel({ path: links })).toEqual(facts);
  });

  it.each<[string, Record<string, unknown>, object]>([
    ['no template, and recommends nothing', {}, { hasChatTemplate: false, sampling: {} }],
    ['a template', { 'tokenizer_config.json': { chat_template: 'x' } }, { hasChatTemplate: true }],
    ['a template of its own', { 'chat_template.jinja': 'x' }, { hasChatTemplate: true }],
    [
      'no template in its list',
      { 'tokenizer_config.json': { chat_template: [] } },
      { hasChatTemplate: false },
    ],
    [
      'settings that cannot be read',
      { 'tokenizer_config.json': '{' },
      { hasChatTemplate: null, sampling: {} },
    ],
    [
      'a sampling',
      { 'generation_config.json': { temperature: 0.6, top_p: 0.95, top_k: 20 } },
      { sampling: { temperature: 0.6, topP: 0.95, topK: 20 } },
    ],
    [
      'no sampling',
      { 'generation_config.json': { do_sample: false, temperature: 0.6 } },
      { sampling: { temperature: 0 } },
    ],
    [
      'an odd one',
      { 'generation_config.json': { temperature: 9, top_p: '1', top_k: 0.5 } },
      { sampling: {} },
    ],
  ])('says of chats that it has %s', async (_, files, facts) => {
    for (const [name, content] of Object.entries(files))
      write(name, typeof content === 'string' ? content : JSON.stringify(content));
    expect(await describeFolder()).toMatchObject(facts);
  });

  it.each([
    ['---\nlicense: apache-2.0\n---\n# A model', 'apache-2.0'],
    ['---\r\ntags: [a]\r\nlicense: "mit"\r\n---\r\n', 'mit'],
    ['---\nlicense:\n- cc-by-4.0\n- mit\n---\n', 'cc-by-4.0'],
    ['---\nlicense: other\nlicense_name: acme-1\n---\n', 'acme-1'],
    ['---\nlicense: other\n---\n', 'other'],
    ['# A model\nlicense: mit\n', null],
    ['---\nlicense:\n---\n', null],
  ])('has its license from its card: %j', async (card, license) => {
    write('README.md', card);
    expect((await describeFolder()).license).toBe(license);
  });

  it.each<[string, () => void, string]>([
    [
      'of an unknown architecture',
      () => write('config.json', '{"model_type":"bert"}'),
      'config.json: model_type "bert" is not',
    ],
    ['with damaged settings', () => write('config.json', '{'), 'config.json is not valid JSON.'],
    [
      'without weights',
      () => rmSync(join(folder, 'model.safetensors')),
      'The folder has neither model.safetensors nor',
    ],
    ['with truncated weights', () => write('model.safetensors', 'short'), 'model.safetensors: is truncated'],
    ['without a tokenizer', () => rmSync(join(folder, 'tokenizer.json')), 'tokenizer.json is missing.'],
    ['that is gone', () => rmSync(folder, { recursive: true }), 'It cannot be read (ENOENT).'],
    ['with a pipe for its settings', () => pipe('config.json'), 'config.json is not a file.'],
  ])('%s says why it cannot be used', async (_, damage, problem) => {
    damage();
    expect(await describeFolder()).toMatchObject({
      problem: expect.stringContaining(problem),
      memory: null,
    });
  });

  it('does not wait for a pipe in place of its card', async () => {
    pipe('README.md');
    expect((await describeFolder()).problem).toBeNull();
  });

  function pipe(name: string): void {
    rmSync(join(folder, name), { force: true });
    execFileSync('mkfifo', [join(folder, name)]);
  }
});

describe('a GGUF file', () => {
  const file = () => join(home, 'model.gguf');
  const describeFile = () => describeModel({ path: file() });

  it('has its facts in its header, the same as the folder it was made of', async () => {
    const license = { 'general.license': 'apache-2.0', 'general.file_type': { uint32: 15 } };
    writeFileSync(file(), await ggufOfModel(folder, { metadata: license }));
    const { parameters, memory, context } = await describeFolder();
    expect(await describeFile()).toMatchObject({
      ...{ architecture: 'qwen3', weightFormat: 'Q4_K_M', license: 'apache-2.0', problem: null },
      ...{ parameters, memory, context },
    });
  });

  it('has a license of its own, or one beside it', async () => {
    writeFileSync(
      file(),
      await ggufOfModel(folder, {
        metadata: { 'general.license': 'other', 'general.license.name': 'acme-1' },
      }),
    );
    expect(await describeFile()).toMatchObject({ license: 'acme-1', weightFormat: 'F32' });
    writeFileSync(file(), await ggufOfModel(folder));
    write('LICENSE', '\n  MIT License\n\nCopyright');
    const beside = await describeModel({ path: file(), licenseFile: join(folder, 'LICENSE') });
    expect(beside.license).toBe('MIT License');
  });

  it.each([
    [
      'of another architecture',
      { 'general.architecture': 'bert' },
      'The file has the architecture "bert", which is not supported',
    ],
    ['with another tokenizer', { 'tokenizer.ggml.model': 'bert' }, 'has a tokenizer of type "bert"'],
    ['with another split', { 'tokenizer.ggml.pre': 'odd' }, 'splits text in the way "odd"'],
  ])('%s keeps its other facts', async (_, metadata, problem) => {
    writeFileSync(file(), await ggufOfModel(folder, { metadata }));
    const facts = await describeFile();
    expect(facts).toMatchObject({
      weightFormat: 'F32',
      memory: null,
      problem: expect.stringContaining(problem),
    });
    expect(facts.parameters).toBeGreaterThan(0);
  });

  it('says of chats what its metadata says', async () => {
    const sampling = { 'general.sampling.temp': { float32: 0.5 }, 'general.sampling.top_k': { uint32: 40 } };
    const metadata = { 'tokenizer.chat_template': 'x', ...sampling };
    writeFileSync(file(), await ggufOfModel(folder, { metadata }));
    expect(await describeFile()).toMatchObject({
      hasChatTemplate: true,
      sampling: { temperature: 0.5, topK: 40 },
    });
    writeFileSync(file(), await ggufOfModel(folder));
    expect(await describeFile()).toMatchObject({ hasChatTemplate: false, sampling: {} });
  });

  it('says what is wrong with it if it is damaged', async () => {
    copyFileSync(join(folder, 'config.json'), file());
    expect(await describeFile()).toMatchObject({ problem: 'The file is not a GGUF file.', parameters: null });
    const data = new Uint8Array(32);
    writeFileSync(file(), encodeGguf([], [{ name: 'a', type: 23, shape: [8], data }]));
    expect((await describeFile()).problem).toContain('is quantized as IQ4_XS, which is not supported.');
  });
});

// The options of svc cloud start: what lasts of a command line, and who answers chats.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  changeOptions,
  isSameOptions,
  parseLasting,
  toLasting,
  toWords,
  writeOptions,
} from '../../cli/commands/cloud/lasting-options.js';
import { dataOf, silentOwner } from '../../cli/commands/cloud/local-cloud.js';
import { readRayServe, readVllm } from '../../cli/commands/cloud/settings.js';
import { startOptions } from '../../cli/commands/cloud/start-options.js';
import { parseOptions } from '../../cli/options.js';
import { describeMove } from '../../lib/contract/index.js';
import { callCli } from './support/terminal.js';

describe('the options that a cloud keeps', () => {
  it('are all but those that are about one start, and mean the same wherever one stands', () => {
    const once = { data: 'd', foreground: true, json: true, reset: true };
    const files = { 'base-model': './models/tiny', 'tls-cert': 'c.pem', 'tls-key': '/k.pem' };
    const others = { host: '::1', concurrency: '2', 'no-anonymous': true };
    const lasting = toLasting({ ...once, ...files, ...others }, '/here');
    const whole = { 'base-model': '/here/models/tiny', 'tls-cert': '/here/c.pem', 'tls-key': '/k.pem' };
    expect(lasting).toEqual({ ...whole, ...others });
    expect(toLasting({ 'base-model': 'acme/tiny' }, '/here')).toEqual({ 'base-model': 'acme/tiny' });
    expect(toLasting(lasting, '/elsewhere')).toEqual(lasting);
  });

  it.each([
    ['tiny.gguf', '/here/tiny.gguf'],
    ['~/tiny.gguf', join(homedir(), 'tiny.gguf')],
    ['ollama:smollm2:135m', 'ollama:smollm2:135m'],
    ['lmstudio:acme/tiny', 'lmstudio:acme/tiny'],
    ['acme/tiny:tiny.gguf', 'acme/tiny:tiny.gguf'],
    ['acme/tiny:../tiny.gguf', '/here/acme/tiny:../tiny.gguf'],
  ])('name the base model %s in a way that stays', (model, expected) => {
    const { values } = parseOptions([`--base-model=${model}`], startOptions);
    expect(toLasting(values, '/here')).toEqual({ 'base-model': expected });
  });

  it('are changed by those that are typed later, and the others stay', () => {
    const former = { 'base-model': '/m', concurrency: '2', 'no-anonymous': true } as const;
    expect(changeOptions(former, {})).toEqual(former);
    expect(changeOptions(former, { concurrency: '3' })).toEqual({ ...former, concurrency: '3' });
    const changed = { 'base-model': '/m', concurrency: '2', anonymous: true };
    expect(changeOptions(former, { anonymous: true })).toEqual(changed);
    expect(changeOptions({ 'store-for': '48' }, { 'no-store': true })).toEqual({ 'no-store': true });
    expect(changeOptions({ 'no-store': true }, { 'store-for': '48' })).toEqual({ 'store-for': '48' });
  });

  it('are told from others whatever their order', () => {
    expect(isSameOptions({ a: '1', b: true }, { b: true, a: '1' })).toBe(true);
    for (const other of [{}, { a: '2' }, { a: '1', b: true as const }])
      expect(isSameOptions({ a: '1' }, other)).toBe(false);
  });

  it('are shown as they are typed', () => {
    const words = ['--base-model=/m', '--no-anonymous'];
    expect(toWords({ 'base-model': '/m', 'no-anonymous': true })).toEqual(words);
  });

  it('are read again as the command knows them', () => {
    const good = { 'base-model': '/m', 'no-anonymous': true };
    expect(parseLasting(good)).toEqual(good);
  });

  it.each<unknown>([
    ...[null, [], 'x', { color: 'red' }, { concurrency: 2 }, { anonymous: false }],
    ...[{ host: true }, { toString: 'x' }, { json: true }, { data: '/d' }],
  ])('are no options if they are %j', bad => {
    expect(parseLasting(bad)).toBeNull();
  });
});

describe('who answers chats', () => {
  const SERVE = { 'ray-serve': 'http://head:8000' };

  it.each([
    ['this machine unless a Ray Serve is named', {}, undefined],
    ['a few replicas', SERVE, { url: 'http://head:8000', replicas: { min: 1, max: 4 }, cpus: 1 }],
    ['2..8 replicas', { ...SERVE, 'ray-replicas': '2..8' }, { replicas: { min: 2, max: 8 } }],
    ['0..1 replicas', { ...SERVE, 'ray-replicas': '0..1' }, { replicas: { min: 0, max: 1 } }],
    ['3 replicas', { ...SERVE, 'ray-replicas': '3' }, { replicas: { min: 3, max: 3 } }],
    ['replicas of half a CPU', { ...SERVE, 'ray-replica-cpus': '0.5' }, { cpus: 0.5 }],
  ])('is %s', (_, options, settings) => {
    if (settings) expect(readRayServe(options)).toMatchObject(settings);
    else expect(readRayServe(options)).toBeUndefined();
  });

  it.each([
    ['ray-serve', ['', 'head:8000', 'ftp://head']],
    ['ray-replicas', ['', '0', '0..0', '4..2', '..3', '-1', 'many', '1..2000', '1...2']],
    ['ray-replica-cpus', ['', '0', '-1', 'x', '1e9']],
  ])('is refused by a bad --%s: %j', (name, values) => {
    for (const value of values)
      expect(() => readRayServe({ ...SERVE, [name]: value })).toThrow(`--${name} must be`);
  });

  it.each(['ray-replicas', 'ray-replica-cpus'])('--%s needs --ray-serve', name => {
    expect(() => readRayServe({ [name]: '2' })).toThrow(`--${name} can only be used with --ray-serve.`);
  });

  it('is a vLLM if one is named, and never both', () => {
    expect(readVllm({})).toBeUndefined();
    const vllm = 'http://localhost:8000';
    expect(readVllm({ vllm })).toMatchObject({ url: vllm });
    expect(() => readVllm({ vllm: 'localhost:8000' })).toThrow(/--vllm must be/);
    expect(() => readVllm({ 'vllm-token-file': 'key' })).toThrow(/only be used with --vllm/);
    expect(() => readVllm({ ...SERVE, vllm })).toThrow(/cannot be combined/);
  });
});

describe('a command to copy', () => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'svc-data-'));
    for (const name of ['cloud', 'other']) await mkdir(join(home, name));
  });
  afterAll(() => rm(home, { recursive: true }));
  const svc = (line: string) => callCli(line.split(' '), { cwd: home, env: { SVC_HOME: home } });

  it.runIf(process.platform !== 'win32').each([
    ['/home/me/cloud', ''],
    ['/home/me/other', ' --data /home/me/other'],
    ['/home/me/my cloud', " --data '/home/me/my cloud'"],
    ["/it's", ` --data '/it'\\''s'`],
    ['/a;b', " --data '/a;b'"],
  ])('names the data folder %s as a shell takes it, but not the usual one: %j', (folder, data) => {
    expect(dataOf(folder, { SVC_HOME: '/home/me' })).toBe(data);
  });

  it.each([
    ['cloud start', 'start over with "svc cloud start --reset"'],
    ['models', 'start over with "svc cloud start --reset"'],
    ['cloud status', 'To start it, run: svc cloud start'],
    ['models pull svc/tiny-instruct', 'To use it, run: svc cloud start'],
  ])('of svc %s is about the cloud that it was asked about', async (line, advice) => {
    const inFolder = (name: string) => advice.replace('svc cloud start', `svc cloud start${name}`);
    const told = async (more: string) => Object.values(await svc(line + more)).join('');
    for (const name of ['cloud', 'other'])
      if (advice.startsWith('To ')) await writeOptions(join(home, name), {});
      else await writeFile(join(home, name, 'options.json'), '{"port":1}');
    expect(await told('')).toContain(inFolder(''));
    const other = join(home, 'other');
    expect(await told(` --data ${other}`)).toContain(inFolder(` --data ${other}`));
  });

  it('of a cloud that has moved, or does not respond, is about that cloud', () => {
    const moved = { url: 'http://localhost:2', port: 2, moved: { from: 1, returns: false } };
    const way = 'run "svc cloud stop --data /d", then "svc cloud start --data /d --port 1"';
    expect(describeMove(moved, ' --data /d')).toContain(way);
    const { message } = silentOwner('/d', { pid: 7 }, { SVC_HOME: home });
    expect(message).toContain('To stop it, run "svc cloud stop --data /d".');
    const usual = silentOwner(join(home, 'cloud'), { pid: 7 }, { SVC_HOME: home });
    expect(usual.message).toContain('To stop it, run "svc cloud stop".');
  });
});

import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  CacheError,
  type DatasetOptions,
  type HuggingFaceSource,
  openDataset,
} from '../../../../lib/engine/train/data/index.js';
import { faultOf, rowsOf, temporaryFolder } from './dataset-files.js';
import { startHub } from './hub-server.js';

const token = 'hf_secret';
const pairs = (word: string) => `{"text":"${word} 1"}\n{"text":"${word} 2"}\n`;
const strange = 'data/train #1 ✓.jsonl';

const hub = await startHub({
  'ann/chats': {
    files: {
      'README.md': '# Chats',
      'train-0.jsonl': pairs('a'),
      'train-1.jsonl': pairs('b'),
      'test.csv': 'text\nt\n',
    },
    large: ['train-1.jsonl'],
    pageSize: 2,
  },
  'ann/moving': { files: { 'train.jsonl': pairs('old') } },
  'ann/strange': { files: { [strange]: pairs('s') } },
  'ann/private': { files: { 'train.csv': 'text\np\n' }, guard: { token, status: 401 } },
  'ann/gated': { files: { 'train.csv': 'text\ng\n' }, guard: { token: 'hf_other', status: 403 } },
  'ann/tampered': {
    files: { 'train.csv': 'text\nt\n', 'test.csv': 'text\nt\n' },
    large: ['test.csv'],
    tampered: { 'train.csv': 'text\nx\n', 'test.csv': 'text\nx\n' },
  },
  'ann/cut': { files: { 'train.csv': 'text\nt\n' }, cut: ['train.csv'] },
  'ann/broken': { files: {}, guard: { token, status: 500 } },
});

afterEach(() => vi.unstubAllEnvs());

const cacheFolder = temporaryFolder();
const defaults: DatasetOptions = { cacheFolder, hubUrl: `${hub.url}/`, hubToken: '' };
const open = (source: string | Omit<HuggingFaceSource, 'type'>, options: Partial<DatasetOptions> = {}) =>
  openDataset(
    { type: 'huggingface', ...(typeof source === 'string' ? { name: source } : source) },
    { ...defaults, ...options },
  );
const fault = (...parameters: Parameters<typeof open>) => faultOf(open(...parameters));

describe('a data set on the Hub', () => {
  it('has the rows of all files of its split, however many pages list them', async () => {
    const dataset = await open('ann/chats');
    expect(dataset.fileName).toBe('train-0.jsonl and 1 more');
    expect(await rowsOf(dataset)).toEqual([
      { row: { text: 'a 1' }, file: 'train-0.jsonl', number: 1 },
      { row: { text: 'a 2' }, file: 'train-0.jsonl', number: 2 },
      { row: { text: 'b 1' }, file: 'train-1.jsonl', number: 1 },
      { row: { text: 'b 2' }, file: 'train-1.jsonl', number: 2 },
    ]);
    expect(await rowsOf(await open({ name: 'ann/chats', split: 'test' }))).toHaveLength(1);
  });

  it('is downloaded once, and again if the stored file is truncated', async () => {
    const folder = temporaryFolder();
    const downloads = async () => {
      const before = hub.downloads.length;
      expect(await rowsOf(await open('ann/chats', { cacheFolder: folder }))).toHaveLength(4);
      return hub.downloads.slice(before);
    };
    expect(await downloads()).toEqual(['train-0.jsonl', 'train-1.jsonl']);
    expect(await downloads()).toEqual([]);
    const [kept] = readdirSync(folder).filter(name => name.startsWith('hub-git-'));
    truncateSync(join(folder, kept!), 3);
    expect(await downloads()).toEqual(['train-0.jsonl']);
  });

  it('stays as it was when the run first read it, even after a push or without the Hub', async () => {
    const [snapshotFolder, kept] = [join(temporaryFolder(), 'job'), temporaryFolder()];
    const texts = async (options: Partial<DatasetOptions>) =>
      (await rowsOf(await open('ann/moving', options))).map(({ row }) => row.text);
    expect(await texts({ snapshotFolder, cacheFolder: kept })).toEqual(['old 1', 'old 2']);
    hub.push('ann/moving', { 'train.jsonl': pairs('new') });
    expect(await texts({ snapshotFolder, cacheFolder: temporaryFolder() })).toEqual(['old 1', 'old 2']);
    const before = hub.requests.length;
    expect(await texts({ snapshotFolder, cacheFolder: kept })).toEqual(['old 1', 'old 2']);
    expect(hub.requests).toHaveLength(before);
    expect(await texts({ snapshotFolder: temporaryFolder() })).toEqual(['new 1', 'new 2']);
    expect(await texts({})).toEqual(['new 1', 'new 2']);
    expect(readdirSync(snapshotFolder)).toEqual([expect.stringMatching(/^hub-[0-9a-f]{16}\.json$/)]);
  });

  it('is not requested again if its stored file list is damaged', async () => {
    const snapshotFolder = temporaryFolder();
    await open('ann/chats', { snapshotFolder });
    const [name] = readdirSync(snapshotFolder);
    truncateSync(join(snapshotFolder, name!), 5);
    await expect(open('ann/chats', { snapshotFolder })).rejects.toThrow(/file list.*damaged/);
  });

  it('may have files with any name', async () => {
    const [row] = await rowsOf(await open('ann/strange'));
    expect(row).toEqual({ row: { text: 's 1' }, file: strange, number: 1 });
  });

  it('uses the token and the Hub from the environment by default', async () => {
    vi.stubEnv('HF_TOKEN', token);
    vi.stubEnv('HF_ENDPOINT', hub.url);
    const source = { type: 'huggingface', name: 'ann/private' } as const;
    expect(await rowsOf(await openDataset(source, { cacheFolder }))).toHaveLength(1);
    expect(await fault('ann/private')).toMatch(/^ann\/private: .*set HF_TOKEN/);
  });

  it('is fetched with the given function', async () => {
    const asked: string[] = [];
    const spy: typeof fetch = (input, init) => {
      asked.push(String(input));
      return fetch(input, init);
    };
    await open('ann/chats', { fetch: spy, cacheFolder: temporaryFolder() });
    expect(asked.filter(url => url.endsWith('train-0.jsonl')).length).toBeGreaterThan(0);
    expect(asked.every(url => url.startsWith(hub.url))).toBe(true);
  });

  it('fails with advice', async () => {
    expect(await fault('ann/private', { hubToken: 'hf_wrong' })).toBe(
      'ann/private: the Hub rejects HF_TOKEN; set a valid one',
    );
    expect(await fault('ann/gated', { hubToken: token })).toBe(
      `ann/gated: this account has no access to it; accept its conditions at ${hub.url}/datasets/ann/gated with the account of HF_TOKEN`,
    );
    expect(await fault('ann/nothing')).toMatch(
      /^ann\/nothing: the Hub has no data set with this name; .*HF_TOKEN/,
    );
    expect(await fault('ann/broken')).toBe(`ann/broken: the Hub at ${hub.url} answered 500; try again`);
    expect(await fault('ann/chats', { hubToken: 'secret' })).toBe(
      'ann/chats: HF_TOKEN is not a Hub token; those start with hf_',
    );
    expect(await fault('ann/chats', { hubUrl: 'http://127.0.0.1:1' })).toMatch(
      /^ann\/chats: the Hub at http:\/\/127.0.0.1:1 cannot be reached .*\((ECONNREFUSED|the connection failed)\)$/,
    );
    expect(await fault({ name: 'ann/chats', split: 'dev' })).toBe(
      'ann/chats: it has no split "dev"; available: test, train',
    );
    for (const name of ['../../api/whoami', 'a/b/c', '', 'a b', 'ann/..'])
      expect(await fault(name)).toMatch('is not the name of a data set on the Hub');
  });

  it('is rejected, and not stored, if the content does not match its checksum', async () => {
    const folder = temporaryFolder();
    for (const [split, file] of [
      ['train', 'train.csv'],
      ['test', 'test.csv'],
    ] as const) {
      expect(await fault({ name: 'ann/tampered', split }, { cacheFolder: folder })).toBe(
        `${file}: the download does not match its checksum on the Hub; try again`,
      );
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is rejected, and not stored, if the connection ends early', async () => {
    const folder = temporaryFolder();
    expect(await fault('ann/cut', { cacheFolder: folder })).toMatch(
      /^ann\/cut: the Hub at .* cannot be reached/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is not requested if its signal has aborted, and fails with the signal’s reason', async () => {
    const before = hub.requests.length;
    const stopped = open('ann/chats', { signal: AbortSignal.abort(new Error('enough')) });
    await expect(stopped).rejects.toThrow('enough');
    expect(hub.requests).toHaveLength(before);
  });

  it('is not blamed if it cannot be stored', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    await expect(open('ann/chats', { cacheFolder: join(file, 'cache') })).rejects.toThrow(CacheError);
  });
});

import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CacheError } from '../../../../lib/engine/train/data/cache-folder.js';
import { chooseFiles } from '../../../../lib/engine/train/data/choose-files.js';
import type { HuggingFaceSource } from '../../../../lib/engine/train/data/dataset.js';
import { type DatasetOptions, openDataset } from '../../../../lib/engine/train/data/index.js';
import { faultOf, rowsOf, temporaryFolder, write } from './dataset-files.js';
import { startHub } from './hub-server.js';

const token = 'hf_secret';
const pairs = (word: string) => `{"text":"${word} 1"}\n{"text":"${word} 2"}\n`;
const strange = 'data/train #1 ✓.jsonl';
const [csv, tampered] = ['text\nt\n', 'text\nx\n'];

const hub = await startHub({
  'ann/chats': {
    files: { 'README.md': '', 'train-0.jsonl': pairs('a'), 'train-1.jsonl': pairs('b'), 'test.csv': csv },
    large: ['train-1.jsonl'],
    pageSize: 2,
  },
  'ann/moving': { files: { 'train.jsonl': pairs('old') } },
  'ann/strange': { files: { [strange]: pairs('s') } },
  'ann/private': { files: { 'train.csv': csv }, guard: { token, status: 401 } },
  'ann/gated': { files: { 'train.csv': csv }, guard: { token: 'hf_other', status: 403 } },
  'ann/tampered': {
    files: { 'train.csv': csv, 'test.csv': csv },
    large: ['test.csv'],
    tampered: { 'train.csv': tampered, 'test.csv': tampered },
  },
  'ann/cut': { files: { 'train.csv': csv }, cut: ['train.csv'] },
  'ann/broken': { files: {}, guard: { token, status: 500 } },
});

afterEach(() => vi.unstubAllEnvs());

const cacheFolder = temporaryFolder();
const defaults: DatasetOptions = { cacheFolder, hubUrl: `${hub.url}/`, hubToken: '' };
type Options = Partial<DatasetOptions> & Pick<HuggingFaceSource, 'split'>;
const open = (name: string, { split, ...options }: Options = {}) =>
  openDataset({ type: 'huggingface', name, ...(split && { split }) }, { ...defaults, ...options });
const fault = (...parameters: Parameters<typeof open>) => faultOf(open(...parameters));

describe('a data set on the Hub', () => {
  it('has the rows of all files of its split, however many pages list them', async () => {
    const dataset = await open('ann/chats');
    expect(dataset.fileName).toBe('train-0.jsonl and 1 more');
    expect((await rowsOf(dataset)).map(({ row, file, number }) => [row.text, file, number])).toEqual([
      ['a 1', 'train-0.jsonl', 1],
      ['a 2', 'train-0.jsonl', 2],
      ['b 1', 'train-1.jsonl', 1],
      ['b 2', 'train-1.jsonl', 2],
    ]);
    expect(await rowsOf(await open('ann/chats', { split: 'test' }))).toHaveLength(1);
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
    const texts = async (options: Options) =>
      (await rowsOf(await open('ann/moving', options))).map(({ row }) => row.text);
    const [old, now] = [['old 1', 'old 2'], ['new 1', 'new 2']]; // biome-ignore format: short
    expect(await texts({ snapshotFolder, cacheFolder: kept })).toEqual(old);
    hub.push('ann/moving', { 'train.jsonl': pairs('new') });
    expect(await texts({ snapshotFolder, cacheFolder: temporaryFolder() })).toEqual(old);
    const before = hub.requests.length;
    expect(await texts({ snapshotFolder, cacheFolder: kept })).toEqual(old);
    expect(hub.requests).toHaveLength(before);
    expect(await texts({ snapshotFolder: temporaryFolder() })).toEqual(now);
    expect(await texts({})).toEqual(now);
    expect(readdirSync(snapshotFolder)).toEqual([expect.stringMatching(/^hub-[0-9a-f]{16}\.json$/)]);
  });

  it('is not requested again if its stored file list is damaged', async () => {
    const snapshotFolder = temporaryFolder();
    await open('ann/chats', { snapshotFolder });
    truncateSync(join(snapshotFolder, readdirSync(snapshotFolder)[0]!), 5);
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
    const spy = vi.fn(fetch);
    await open('ann/chats', { fetch: spy, cacheFolder: temporaryFolder() });
    const asked = spy.mock.calls.map(([input]) => String(input));
    expect(asked.filter(url => url.endsWith('train-0.jsonl')).length).toBeGreaterThan(0);
    expect(asked.every(url => url.startsWith(hub.url))).toBe(true);
  });

  it.each<[string, string, Options?]>([
    ['private', 'the Hub rejects HF_TOKEN; set a valid one', { hubToken: 'hf_wrong' }],
    [
      'gated',
      `this account has no access to it; accept its conditions at ${hub.url}/datasets/ann/gated with the account of HF_TOKEN`,
      { hubToken: token },
    ],
    ['nothing', 'the Hub has no data set with this name; .*HF_TOKEN.*'],
    ['broken', `the Hub at ${hub.url} answered 500; try again`],
    ['chats', 'HF_TOKEN is not a Hub token; those start with hf_', { hubToken: 'secret' }],
    [
      'chats',
      'the Hub at http://127.0.0.1:1 cannot be reached .*\\((ECONNREFUSED|the connection failed)\\)',
      { hubUrl: 'http://127.0.0.1:1' },
    ],
    ['chats', 'it has no split "dev"; available: test, train', { split: 'dev' }],
  ])('%s fails with advice: %s', async (name, message, options) => {
    expect(await fault(`ann/${name}`, options)).toMatch(new RegExp(`^ann/${name}: ${message}$`));
  });

  it.each(['../../api/whoami', 'a/b/c', '', 'a b', 'ann/..'])(
    'is not asked for by the name "%s"',
    async name => {
      expect(await fault(name)).toMatch('is not the name of a data set on the Hub');
    },
  );

  it.each<[string, string, RegExp, Options?]>([
    [
      'train.csv',
      'ann/tampered',
      /^train.csv: the download does not match its checksum on the Hub; try again$/,
    ],
    ['test.csv', 'ann/tampered', /^test.csv: the download does not match its checksum/, { split: 'test' }],
    ['a connection that ends', 'ann/cut', /^ann\/cut: the Hub at .* cannot be reached/],
  ])('is rejected, and not stored, if it is not what it should be: %s', async (_, name, message, options) => {
    const folder = temporaryFolder();
    expect(await fault(name, { ...options, cacheFolder: folder })).toMatch(message);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is not requested if its signal has aborted, and fails with the signal’s reason', async () => {
    const before = hub.requests.length;
    const stopped = open('ann/chats', { signal: AbortSignal.abort(new Error('enough')) });
    await expect(stopped).rejects.toThrow('enough');
    expect(hub.requests).toHaveLength(before);
  });

  it('is neither downloaded nor blamed if it cannot be stored', async () => {
    const { path } = write('file', '');
    const asked: string[] = [];
    const seeing: typeof fetch = (input, init) => {
      asked.push(`${input} ${new Headers(init?.headers).get('range')}`);
      return fetch(input, init);
    };
    const opening = open('ann/chats', { cacheFolder: join(path, 'cache'), fetch: seeing });
    await expect(opening).rejects.toThrow(CacheError);
    expect(asked.filter(line => line.includes('/resolve/'))).toEqual([
      expect.stringMatching(/train-0\.jsonl bytes=0-0$/),
    ]);
  });
});

const card = ['README.md', '.gitattributes', 'dataset_infos.json'];
const shards = [0, 1, 2, 10].map(i => `train-${i}.jsonl`);
const hashed = [0, 1].map(i => `data/train-0000${i}-of-00002-a09b74b3ef9c3b56.parquet`);
const numbered = ['data/train/0000.parquet', 'data/train/0001.parquet'];
const custom = ['train_gen', 'train_sft', 'test_gen'].map(split => `data/${split}-00000-of-00001.parquet`);
const both = ['data/train-00000-of-00001.parquet', 'data/test-00000-of-00001.parquet'];
const subsets = ['en', 'de'].flatMap(subset => both.map(path => path.replace('data', subset)));
const versions = ['v1/en/train/0000.parquet', 'v1/de/train/0000.parquet'];

it.each<[string, string[], string[], split?: string | undefined, subset?: string]>([
  ['of train by default', both, [both[0]!]],
  ['of the split that is asked for', both, [both[1]!], 'test'],
  ['all shards, in order', shards.toReversed(), shards],
  ['all shards with a hash, in order', hashed.toReversed(), hashed],
  ['all shards in a folder, in order', [...numbered.toReversed(), 'data/test/0000.parquet'], numbered],
  ...['train.jsonl', 'train.csv', 'data/train.json', 'my-train.tsv', 'training.ndjson.gz', 'Train.jsonl'].map(
    (path): [string, string[], string[]] => ['in any usual place', [path, 'validation.jsonl'], [path]],
  ),
  ['of validation, which may be called dev', ['train.csv', 'dev.csv'], ['dev.csv'], 'validation'],
  ['not of what only sounds like it', ['pretraining.csv', 'train.csv'], ['train.csv']],
  ['the only file, whatever its name', ['alpaca_data.json'], ['alpaca_data.json']],
  ['the only shards', ['part-1.jsonl', 'part-0.jsonl'], ['part-0.jsonl', 'part-1.jsonl']],
  ['of a custom split', custom, [custom[1]!], 'train_sft'],
  ['of a custom split with a number', ['gpt_3.jsonl', 'gpt_4.jsonl'], ['gpt_4.jsonl'], 'gpt_4'],
  ['of one format', ['train.csv', 'train.jsonl', 'train.parquet'], ['train.parquet']],
  ['in the folder of a subset', subsets, [subsets[2]!], undefined, 'de'],
  ['of a split of a subset', subsets, [subsets[1]!], 'test', 'en'],
  [
    'in a folder of a folder',
    ['data/en/train.csv', 'data/de/train.csv'],
    ['data/en/train.csv'],
    'train',
    'en',
  ],
  ['in folders around a subset', versions, [versions[0]!], 'train', 'en'],
  ['outside any folder by default', ['train.jsonl', ...subsets], ['train.jsonl']],
  ['of the default subset', ['default/train.jsonl', ...subsets], ['default/train.jsonl']],
  ['of the only subset', ['main/train.jsonl', 'main/test.jsonl', 'statistics.csv'], ['main/train.jsonl']],
])('the files are those %s', (_, all, paths, split, subset) => {
  expect(chooseFiles([...card, ...all], split, subset)).toEqual({ paths });
});

it.each<[string, string[], split?: string, subset?: string]>([
  ['choose a split; available: train_gen, train_sft', custom],
  ['no split "train"; available: test, validation', ['test.jsonl', 'validation.jsonl']],
  ['no split "dev"; available: train', ['train.jsonl'], 'dev'],
  ['choose a split; available: a, b', ['a.jsonl', 'b.jsonl']],
  ['it has no data files (.parquet, .jsonl', []],
  ['no split "test"; available: a', ['a.jsonl'], 'test'],
  ['choose a subset; available: de, en', subsets],
  ['no subset "fr"; available: de, en', subsets, 'train', 'fr'],
])('there are none, which is told: %s', (problem, all, split, subset) => {
  const chosen = chooseFiles([...card, ...all], split, subset);
  expect(chosen).toEqual({ problem: expect.stringContaining(problem) });
});

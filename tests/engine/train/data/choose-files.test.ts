import { describe, expect, it } from 'vitest';
import { chooseFiles } from '../../../../lib/engine/train/data/choose-files.js';

const card = ['README.md', '.gitattributes', 'dataset_infos.json'];
const choose = (paths: string[], split?: string, subset?: string) =>
  chooseFiles([...card, ...paths], split, subset);
const chosen = (...paths: string[]) => ({ paths });
const problem = (text: string) => ({ problem: expect.stringContaining(text) });

describe('the files of a split', () => {
  it('are those of train by default', () => {
    const files = ['data/train-00000-of-00001.parquet', 'data/test-00000-of-00001.parquet'];
    expect(choose(files)).toEqual(chosen(files[0]!));
    expect(choose(files, 'test')).toEqual(chosen(files[1]!));
  });

  it('are all shards, in order', () => {
    const shards = [0, 1, 2, 10].map(i => `train-${i}.jsonl`);
    expect(choose([...shards].reverse())).toEqual(chosen(...shards));
    const hashed = [0, 1].map(i => `data/train-0000${i}-of-00002-a09b74b3ef9c3b56.parquet`);
    expect(choose([...hashed].reverse())).toEqual(chosen(...hashed));
    expect(choose(['data/train/0001.parquet', 'data/train/0000.parquet', 'data/test/0000.parquet'])).toEqual(
      chosen('data/train/0000.parquet', 'data/train/0001.parquet'),
    );
  });

  it('may be in any usual location', () => {
    for (const path of [
      'train.jsonl',
      'train.csv',
      'data/train.json',
      'my-train.tsv',
      'training.ndjson.gz',
      'Train.jsonl',
    ])
      expect(choose([path, 'validation.jsonl'])).toEqual(chosen(path));
    expect(choose(['train.csv', 'dev.csv'], 'validation')).toEqual(chosen('dev.csv'));
    expect(choose(['pretraining.csv', 'train.csv'])).toEqual(chosen('train.csv'));
  });

  it('are the only file, or the only shards, regardless of the name', () => {
    expect(choose(['alpaca_data.json'])).toEqual(chosen('alpaca_data.json'));
    expect(choose(['part-1.jsonl', 'part-0.jsonl'])).toEqual(chosen('part-0.jsonl', 'part-1.jsonl'));
  });

  it('can be requested by a custom name', () => {
    const files = ['train_gen', 'train_sft', 'test_gen'].map(split => `data/${split}-00000-of-00001.parquet`);
    expect(choose(files, 'train_sft')).toEqual(chosen(files[1]!));
    expect(choose(['gpt_3.jsonl', 'gpt_4.jsonl'], 'gpt_4')).toEqual(chosen('gpt_4.jsonl'));
    expect(choose(files)).toEqual(problem('choose a split; available: train_gen, train_sft'));
  });

  it('come in one format if several exist', () => {
    expect(choose(['train.csv', 'train.jsonl', 'train.parquet'])).toEqual(chosen('train.parquet'));
  });

  it('are an error that lists the splits if they are missing or ambiguous', () => {
    expect(choose(['test.jsonl', 'validation.jsonl'])).toEqual(
      problem('no split "train"; available: test, validation'),
    );
    expect(choose(['train.jsonl'], 'dev')).toEqual(problem('no split "dev"; available: train'));
    expect(choose(['a.jsonl', 'b.jsonl'])).toEqual(problem('choose a split; available: a, b'));
    expect(choose([])).toEqual(problem('it has no data files (.parquet, .jsonl'));
    expect(choose(['a.jsonl'], 'test')).toEqual(problem('no split "test"; available: a'));
  });
});

describe('the files of a subset', () => {
  const files = ['en', 'de'].flatMap(subset => [
    `${subset}/train-00000-of-00001.parquet`,
    `${subset}/test-00000-of-00001.parquet`,
  ]);

  it('are those in its folder', () => {
    expect(choose(files, undefined, 'de')).toEqual(chosen('de/train-00000-of-00001.parquet'));
    expect(choose(files, 'test', 'en')).toEqual(chosen('en/test-00000-of-00001.parquet'));
    expect(choose(['data/en/train.jsonl', 'data/de/train.jsonl'], 'train', 'en')).toEqual(
      chosen('data/en/train.jsonl'),
    );
    expect(choose(['v1/en/train/0000.parquet', 'v1/de/train/0000.parquet'], 'train', 'en')).toEqual(
      chosen('v1/en/train/0000.parquet'),
    );
  });

  it('are those outside any folder by default', () => {
    expect(choose(['train.jsonl', ...files])).toEqual(chosen('train.jsonl'));
    expect(choose(['default/train.jsonl', ...files])).toEqual(chosen('default/train.jsonl'));
  });

  it('are those of the only subset', () => {
    expect(choose(['main/train.jsonl', 'main/test.jsonl', 'statistics.csv'])).toEqual(
      chosen('main/train.jsonl'),
    );
  });

  it('are an error that lists the subsets if it is missing or ambiguous', () => {
    expect(choose(files)).toEqual(problem('choose a subset; available: de, en'));
    expect(choose(files, 'train', 'fr')).toEqual(problem('no subset "fr"; available: de, en'));
  });
});

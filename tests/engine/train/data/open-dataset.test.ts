import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDataset } from '../../../../lib/engine/train/data/index.js';
import { createFiles, faultOf, readAll, rowsOf } from './dataset-files.js';

const write = createFiles();
const options = { cacheFolder: 'unused' };

describe('a data set', () => {
  it('is read from the start each time, and counted', async () => {
    const dataset = await openDataset(write('rows.jsonl', '{"text":"a"}\n{"text":"b"}\n'), options);
    expect(dataset).toMatchObject({ fileName: 'rows.jsonl', format: 'json-lines' });
    for (const _ of [1, 2]) expect(await rowsOf(dataset)).toHaveLength(2);
  });

  it('uses the name that its file was uploaded with', async () => {
    const { path } = write('0f3a', 'text\na\n');
    const [row] = await readAll({ type: 'file', path, fileName: 'C:\\data\\my rows.CSV' });
    expect(row).toMatchObject({ row: { text: 'a' }, file: 'my rows.CSV' });
    expect(await faultOf(readAll({ type: 'file', path, fileName: 'rows\n.jsonl' }))).toBe(
      'rows?.jsonl, row 1: not valid JSON',
    );
  });

  it('is rejected if its format is not supported', async () => {
    const fault = await faultOf(readAll(write('rows.xlsx', 'PK\x03\x04')));
    expect(fault).toMatch(/^rows.xlsx: its format is not supported; .*\.jsonl.*\.csv.*\.parquet/);
  });

  it('is rejected if it is missing or a folder', async () => {
    const { path } = write('rows.jsonl', '');
    const folder = join(dirname(path), 'folder.jsonl');
    mkdirSync(folder);
    expect(await faultOf(readAll({ type: 'file', path: folder }))).toBe(
      'folder.jsonl: is a folder; use a file in it',
    );
    renameSync(path, `${path}.gone`);
    expect(await faultOf(readAll({ type: 'file', path }))).toBe('rows.jsonl: no such file');
    expect(await faultOf(readAll({ type: 'file', path: join(`${path}.gone`, 'x.csv') }))).toBe(
      'x.csv: no such file',
    );
  });

  it('stops being read when its signal aborts, with the signal’s reason', async () => {
    const controller = new AbortController();
    const source = write('rows.jsonl', '{"text":"a"}\n'.repeat(100_000));
    const dataset = await openDataset(source, { ...options, signal: controller.signal });
    const onRows = () => controller.abort(new Error('enough'));
    await expect(dataset.index({ scratchFolder: 'unused', onRows })).rejects.toThrow('enough');
  });
});

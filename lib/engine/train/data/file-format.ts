// Which format a file has, by its name and by how its content begins. What Parquet is, its first bytes say.
import type { DataFile, FileFormat } from './dataset.js';
import { DatasetError } from './dataset-error.js';

const byExtension: Record<string, 'json' | 'csv' | 'tsv' | 'parquet'> = {
  '.jsonl': 'json',
  '.ndjson': 'json',
  '.json': 'json',
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.parquet': 'parquet',
};

const supported = `JSON lines (.jsonl, .ndjson), a JSON list (.json), CSV (.csv, .tsv) and Parquet (.parquet) are read, \
the former three also with .gz`;

const parquetMagic = Buffer.from('PAR1');

/** The extension of a name that is known, without `.gz`. */
export function dataExtension(name: string): string | undefined {
  const [extension] = /\.[a-z]+$/.exec(name.toLowerCase().replace(/\.gz$/, '')) ?? [];
  return extension !== undefined && Object.hasOwn(byExtension, extension) ? extension : undefined;
}

/** The format of a file whose content, unzipped, begins with `head`. */
export function detectFormat({ name }: DataFile, head: Uint8Array, isZipped: boolean): FileFormat {
  if (parquetMagic.equals(head.subarray(0, 4))) {
    if (isZipped) throw new DatasetError(name, 'is Parquet inside of gzip; unzip it first');
    return 'parquet';
  }
  const extension = dataExtension(name);
  const format = extension ? byExtension[extension]! : 'by content';
  if (format === 'csv' || format === 'tsv') return format;
  if (format === 'parquet')
    throw new DatasetError(name, 'is not a Parquet file: it does not begin with PAR1');
  const first = firstSign(head);
  if (first === '[') return 'json-list';
  if (first === '{' || format === 'json') return 'json-lines';
  throw new DatasetError(name, `its format is not supported: ${supported}`);
}

function firstSign(head: Uint8Array): string | undefined {
  const sign = head.find(byte => !isBlank(byte));
  return sign === undefined ? undefined : String.fromCharCode(sign);
}

/** Whether JSON takes the byte for white space. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

// Detects a file's format by its name and first bytes. For Parquet, only the first bytes count.
import { type DataFile, DatasetError, type FileFormat } from './dataset.js';

const byExtension: Record<string, 'json' | 'csv' | 'tsv' | 'parquet'> = {
  '.jsonl': 'json',
  '.ndjson': 'json',
  '.json': 'json',
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.parquet': 'parquet',
};

const supported =
  'JSON lines (.jsonl, .ndjson), a JSON list (.json), CSV (.csv, .tsv) or Parquet (.parquet); ' +
  'all but Parquet can also be gzipped (.gz)';

const parquetMagic = Buffer.from('PAR1');

/** The supported extension of a name, without `.gz`. */
export function dataExtension(name: string): string | undefined {
  const [extension] = /\.[a-z]+$/.exec(name.toLowerCase().replace(/\.gz$/, '')) ?? [];
  return extension !== undefined && Object.hasOwn(byExtension, extension) ? extension : undefined;
}

/** `head` is the start of the unzipped content. */
export function detectFormat({ name }: DataFile, head: Uint8Array, isZipped: boolean): FileFormat {
  if (parquetMagic.equals(head.subarray(0, 4))) {
    if (isZipped) throw new DatasetError(name, 'is Parquet inside gzip; unzip it first');
    return 'parquet';
  }
  const extension = dataExtension(name);
  const format = extension ? byExtension[extension]! : 'by content';
  if (format === 'csv' || format === 'tsv') return format;
  if (format === 'parquet')
    throw new DatasetError(name, 'is not a Parquet file: it does not start with PAR1');
  const first = firstCharacter(head);
  if (first === '[') return 'json-list';
  if (first === '{' || format === 'json') return 'json-lines';
  throw new DatasetError(name, `its format is not supported; use ${supported}`);
}

function firstCharacter(head: Uint8Array): string | undefined {
  const first = head.find(byte => !isBlank(byte));
  return first === undefined ? undefined : String.fromCharCode(first);
}

/** Whether the byte is white space in JSON. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

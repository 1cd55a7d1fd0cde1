// The rows of a data set as examples: each is read and encoded when it is first asked for, in whatever order.

import type { ModelText } from '../text/index.js';
import { RowError } from '../text/index.js';
import type { RowTable } from './data/index.js';
import { createTokenCache, type EncodedExample } from './token-cache.js';

/** What becomes of a row that is longer than the longest that is trained on. */
export type TooLong = 'truncate' | 'skip' | 'error';

export interface EncodingOptions {
  trainOn: 'assistant' | 'all';
  maxLength: number;
  vocabulary: number;
  /** A row that is cut and has nothing left to learn is left out. */
  tooLong: TooLong;
}

export interface EncodedRows {
  readonly length: number;
  /** Throws a `RowError` or `DatasetError` for a row that cannot be trained on. */
  at(index: number): EncodedExample;
  /** Where the row stands, for messages. */
  nameOf(index: number): { file: string; row: number };
  close(): void;
}

/** What was encoded is kept in a scratch file of the folder. */
export function encodeRows(
  table: RowTable,
  text: ModelText,
  coding: EncodingOptions,
  folder: string,
): EncodedRows {
  const cache = createTokenCache(table.length, folder);
  return {
    length: table.length,
    at(index) {
      const known = cache.get(index);
      if (known) return known;
      const coded = encode(table, index, text, coding);
      cache.put(index, coded);
      return coded;
    },
    nameOf(index) {
      const { file, number } = table.read(index);
      return { file, row: number };
    },
    close() {
      cache.close();
      table.close();
    },
  };
}

function encode(table: RowTable, index: number, text: ModelText, coding: EncodingOptions): EncodedExample {
  const { trainOn, maxLength, vocabulary, tooLong } = coding;
  const { row, file, number } = table.read(index);
  const { ids, supervised, truncated, length } = text.encodeRow(row, {
    trainOn,
    maxLength,
    file,
    row: number,
  });
  const stranger = ids.find(id => id >= vocabulary);
  if (stranger !== undefined)
    throw new RowError(
      file,
      number,
      `its token ${stranger} is not in the model's vocabulary of ${vocabulary}`,
    );
  if (truncated && tooLong === 'error') throw new RowError(file, number, describeLength(length, maxLength));
  const isLeftOut = truncated && (tooLong === 'skip' || !supervised.includes(true));
  return isLeftOut
    ? { ids: new Int32Array(), supervised: new Uint8Array(), length }
    : { ids, supervised: Uint8Array.from(supervised, Number), length };
}

function describeLength(length: number, maxLength: number): string {
  return (
    `it has ${length} tokens, and ${maxLength} is the most; ` +
    'shorten it, raise maxLength, or set tooLong to "truncate" or "skip"'
  );
}

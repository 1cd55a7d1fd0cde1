// The rows of a data set as examples, in any order. Each row is encoded the first time it is read.
import type { LearningMethod } from '../../contract/index.js';
import type { ModelText } from '../text/index.js';
import { RowError } from '../text/index.js';
import type { RowTable } from './data/index.js';
import { createTokenCache, type EncodedExample } from './token-cache.js';

/** What to do with a row that is longer than `maxLength`. */
export type TooLong = 'truncate' | 'skip' | 'error';

export interface EncodingOptions {
  trainOn: 'assistant' | 'all';
  /** Whether rows are pairs of answers, or prompts. */
  method?: Exclude<LearningMethod, 'sft'> | undefined;
  /** Whether what a teacher expected is learned, too. Missing if not, so that digests stay the same. */
  soft?: true | undefined;
  /** For the chat template. */
  variables?: Readonly<Record<string, unknown>> | undefined;
  maxLength: number;
  vocabulary: number;
  /** A row is also skipped if truncating leaves nothing to learn. */
  tooLong: TooLong;
}

export interface EncodedRows {
  /** Throws a `RowError` or `DatasetError` for a row that cannot be trained on. */
  at(index: number): EncodedExample;
  close(): void;
}

/** Keeps encoded rows in a scratch file in the folder. */
export function encodeRows(
  table: RowTable,
  text: ModelText,
  encoding: EncodingOptions,
  folder: string,
): EncodedRows {
  const cache = createTokenCache(table.length, folder);
  return {
    at(index) {
      const cached = cache.get(index);
      if (cached) return cached;
      const example = encode(table, index, text, encoding);
      cache.put(index, example);
      return example;
    },
    close() {
      cache.close();
      table.close();
    },
  };
}

function encode(table: RowTable, index: number, text: ModelText, encoding: EncodingOptions): EncodedExample {
  const { trainOn, method, soft: isSoft, variables, maxLength, vocabulary, tooLong } = encoding;
  const { row, file, number } = table.read(index);
  const { ids, supervised, truncated, length, chosen, soft } = text.encodeRow(row, {
    trainOn,
    method,
    soft: isSoft,
    variables,
    maxLength,
    file,
    row: number,
  });
  const isUnknown = (id: number) => id >= vocabulary;
  const unknownId = ids.find(isUnknown) ?? soft?.ids.find(isUnknown);
  if (unknownId !== undefined)
    throw new RowError(
      file,
      number,
      `its token ${unknownId} is not in the model's vocabulary of ${vocabulary}`,
    );
  if (truncated && tooLong === 'error')
    throw new TooLongError(file, number, describeLength(length, maxLength));
  const isSkipped = truncated && (tooLong === 'skip' || !supervised.includes(true));
  return isSkipped
    ? { ids: new Int32Array(), supervised: new Uint8Array(), length }
    : {
        ids,
        supervised: Uint8Array.from(supervised, Number),
        length,
        ...(chosen !== undefined && { chosen }),
        ...(soft && { soft }),
      };
}

/** The row is longer than the limit, and `tooLong` makes that an error. */
export class TooLongError extends RowError {}

function describeLength(length: number, maxLength: number): string {
  return (
    `it has ${length} tokens, but the limit is ${maxLength}; ` +
    'shorten it, raise maxLength, or set tooLong to "truncate" or "skip"'
  );
}

// A checked data set that stays open: its report, and its rows page by page.
import { openModel } from '../../model/index.js';
import { type ModelText, openText, readMisfit } from '../../text/index.js';
import { lowerBound } from '../../text/lower-bound.js';
import type { DatasetOptions } from '../data/index.js';
import { openRows, partOf, type RowSources } from '../open-rows.js';
import { limitLength } from '../options.js';
import { type CheckedRows, type CheckOptions, checkRows, type DataReport } from './check-rows.js';
import { type Examined, examineRow, type ReadingOptions } from './examine-row.js';
import { bitOf, type FindingName, namesOf } from './findings.js';
import { type TokenText, textsOf } from './token-view.js';

export interface CheckRequest
  extends RowSources,
    Pick<DatasetOptions, 'cacheFolder' | 'allowPrivateAddresses' | 'hubToken'>,
    Omit<CheckOptions, 'signal'> {
  /** The base model's folder, in Hugging Face layout. */
  modelFolder: string;
  tooLong: 'truncate' | 'skip' | 'error';
  maxLength: number;
  seed: number;
}

/** Which rows to list. */
export interface RowQuery {
  /** Only rows with this finding. */
  finding: FindingName | null;
  /** Only the row with this number in its file, whether it was checked or not. */
  number: number | null;
  skip: number;
  limit: number;
  /** Up to this many tokens of each row; 0 for none. */
  tokens: number;
}

interface CheckedRow extends Pick<Examined, 'length' | 'tokens' | 'learned' | 'refusal' | 'content'> {
  /** Its place among all rows, from 0. */
  row: number;
  /** Its number in its file. */
  file: string;
  number: number;
  isTrained: boolean;
  findings: FindingName[];
  /** Another row that it repeats, or nearly so, or that answers the same question differently. */
  like: { file: string; number: number } | null;
  texts: TokenText[];
}

export interface OpenCheck {
  report: DataReport & { maxLength: number; named: NamedFinding[] };
  list(query: RowQuery): { rows: CheckedRow[]; total: number };
  close(): void;
}

interface NamedFinding {
  name: FindingName;
  rows: Named[];
  /** Why the first of them cannot be read, or which argument of it is wrong. */
  reason?: string;
}

interface Named {
  file: string;
  number: number;
}

/** How many rows a finding names in the report. */
const NAMED = 5;

export async function openCheck(request: CheckRequest, signal?: AbortSignal): Promise<OpenCheck> {
  const model = await openModel(request.modelFolder);
  const text = await openText(request.modelFolder);
  const maxLength = limitLength(model, request.maxLength);
  const { trainOn, method, soft, variables, tooLong } = request;
  const reading = { trainOn, method, soft, variables };
  const encoding = { ...reading, tooLong, maxLength, vocabulary: model.config.vocabulary };
  const open = await openRows({ ...request, signal }, text, encoding, () => {});
  try {
    const checked = await checkRows(open, text, { ...request, signal });
    const lister = new RowLister(checked, text, reading);
    return {
      report: { ...checked.report, maxLength, named: lister.nameRows() },
      list: query => lister.list(query),
      close: open.close,
    };
  } catch (error) {
    open.close();
    throw error;
  }
}

class RowLister {
  readonly #checked: CheckedRows;
  readonly #text: ModelText;
  readonly #options: ReadingOptions;

  constructor(checked: CheckedRows, text: ModelText, options: ReadingOptions) {
    this.#checked = checked;
    this.#text = text;
    this.#options = options;
  }

  nameRows(): NamedFinding[] {
    const { report, marks } = this.#checked;
    return report.findings.map(({ name }) => {
      const { found } = this.#select(name, 0, NAMED);
      const rows = found.map(at => marks.rows[at]!);
      const reason = this.#reasonOf(name, rows[0]!, found[0]!);
      return { name, rows: rows.map(row => this.#nameOf(row)), ...(reason !== null && { reason }) };
    });
  }

  #reasonOf(name: FindingName, row: number, at: number): string | null {
    if (name === 'unreadable') return this.#show(row, at, 0).refusal;
    if (name !== 'wrong_arguments') return null;
    const part = partOf(this.#checked.parts, row);
    const { hasChatTemplate } = this.#text;
    return readMisfit(part.table.read(row - part.first).row, hasChatTemplate, this.#options.method);
  }

  list({ finding, number, skip, limit, tokens }: RowQuery): { rows: CheckedRow[]; total: number } {
    if (number !== null) {
      const row = this.#rowWith(number);
      return row === null ? { rows: [], total: 0 } : { rows: [this.#show(row, null, tokens)], total: 1 };
    }
    const { found, total } = this.#select(finding, skip, limit);
    return { rows: found.map(at => this.#show(this.#checked.marks.rows[at]!, at, tokens)), total };
  }

  #select(finding: FindingName | null, skip: number, limit: number): { found: number[]; total: number } {
    const { findings, length } = this.#checked.marks;
    const bit = finding === null ? null : bitOf(finding);
    const found: number[] = [];
    let total = 0;
    for (let at = 0; at < length; at++) {
      if (bit !== null && !(findings[at]! & bit)) continue;
      if (total >= skip && found.length < limit) found.push(at);
      total++;
    }
    return { found, total };
  }

  /** `at` is its place in the marks, to be found if null. */
  #show(row: number, at: number | null, most: number): CheckedRow {
    const { marks, parts } = this.#checked;
    const part = partOf(parts, row);
    const index = row - part.first;
    const place = at ?? placeOf(marks.rows.subarray(0, marks.length), row);
    const repeated = place === -1 ? 0 : marks.repeats[place]!;
    const examined = examineRow(part, index, this.#text, this.#options);
    const { length, tokens, learned, refusal, content } = examined;
    return {
      row,
      ...this.#nameOf(row),
      ...{ length, tokens, learned, refusal, content },
      isTrained: part.isTrained(index),
      findings: place === -1 ? [] : namesOf(marks.findings[place]!),
      like: repeated === 0 ? null : this.#nameOf(repeated - 1),
      texts: most === 0 ? [] : textsOf(part, index, this.#text, { ...this.#options, most }),
    };
  }

  #nameOf(row: number): Named {
    const part = partOf(this.#checked.parts, row);
    return part.table.nameOf(row - part.first);
  }

  #rowWith(number: number): number | null {
    const [{ table }] = this.#checked.parts as [CheckedRows['parts'][number]];
    return findNumber(number, table.length, row => table.nameOf(row));
  }
}

/** The index in ascending numbers; -1 if it is missing. */
function placeOf(ascending: Uint32Array, row: number): number {
  const place = lowerBound(ascending, row);
  return ascending[place] === row ? place : -1;
}

/**
 * The place of the row that a person means by a number in the first file; null if no row has it. Blank lines and headers
 * make numbers larger than places.
 */
function findNumber(number: number, rows: number, nameOf: (row: number) => Named): number | null {
  const { file } = nameOf(0);
  let [low, high] = [0, Math.min(rows, number)];
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = nameOf(middle);
    if (found.file === file && found.number < number) low = middle + 1;
    else high = middle;
  }
  if (low === rows) return null;
  const found = nameOf(low);
  return found.file === file && found.number === number ? low : null;
}

// Checks the rows of a run before it trains, with the same code that training reads them with: the same split, tokens,
// masks and truncation. Keeps a few bytes of each row, so any number of rows can be checked.
import { setImmediate } from 'node:timers/promises';
import type { ModelText } from '../../text/index.js';
import { type OpenRows, partOf, type RowPart } from '../open-rows.js';
import { LIMITS } from '../prepare-rows.js';
import { countReplayed } from '../replay.js';
import { type CheckEffort, chooseRows, fits } from '../sample-rows.js';
import { type PlanOptions, planSteps } from '../steps.js';
import { type Examined, examineRow, type ReadingOptions } from './examine-row.js';
import {
  bitOf,
  compareRows,
  FINDING_NAMES,
  FINDINGS,
  type FindingGrade,
  type FindingName,
  RowMarks,
} from './findings.js';
import { scriptsOf } from './letters.js';
import { createNearDuplicates, findBoilerplate } from './near-duplicates.js';

export interface CheckOptions extends PlanOptions, ReadingOptions {
  /** The share of rows from earlier runs, which are not checked. There may be fewer of them. */
  replayShare?: number | undefined;
  effort: CheckEffort;
  signal?: AbortSignal | undefined;
}

interface Side {
  /** All rows of this side, and how many of them were checked. */
  rows: number;
  checked: number;
  /** Of the checked rows: those that the run leaves out, and the tokens of the others. */
  skipped: number;
  tokens: number;
  learned: number;
}

interface Finding {
  name: FindingName;
  grade: FindingGrade;
  rows: number;
}

export interface DataReport {
  /** A short name of the data set. */
  name: string;
  /** The formats of the checked rows, most common first. */
  formats: { name: string; rows: number }[];
  rows: number;
  checked: number;
  training: Side;
  evaluation: Side | null;
  /** Optimizer steps; fewer if rows of a sampled data set are skipped. */
  totalSteps: number;
  lengths: Lengths | null;
  findings: Finding[];
}

export interface CheckedRows {
  report: DataReport;
  marks: RowMarks;
  parts: readonly RowPart[];
}

const SLICE_MS = 50;
const BOILERPLATE_ROWS = 256;

export async function checkRows(
  open: OpenRows,
  text: ModelText,
  options: CheckOptions,
): Promise<CheckedRows> {
  const { parts } = open;
  const chosen = parts.map(({ table }) => chooseRows(table, options.effort));
  const count = parts.reduce((sum, { table }, index) => sum + (chosen[index]?.length ?? table.length), 0);
  const check = new Check(open, count, text, options);
  await check.run(chosen);
  return { report: check.report(), marks: check.marks, parts };
}

class Check {
  readonly marks: RowMarks;
  readonly #open: OpenRows;
  readonly #text: ModelText;
  readonly #options: CheckOptions;
  readonly #formats = new Map<string, number>();
  readonly #sides = [newSide(), newSide()] as const;
  /** Pairs of places in the marks. */
  readonly #similar: [number, number][] = [];
  #hasSoft = false;

  constructor(open: OpenRows, count: number, text: ModelText, options: CheckOptions) {
    this.marks = new RowMarks(count);
    this.#open = open;
    this.#text = text;
    this.#options = options;
  }

  async run(chosen: readonly (readonly number[] | null)[]): Promise<void> {
    const near = this.#createNear(chosen);
    let until = performance.now() + SLICE_MS;
    for (const [index, part] of this.#open.parts.entries()) {
      const rows = chosen[index] ?? null;
      for (let i = 0; i < (rows?.length ?? part.table.length); i++) {
        this.#add(part, rows ? rows[i]! : i, near);
        if (performance.now() < until) continue;
        await setImmediate();
        this.#options.signal?.throwIfAborted();
        until = performance.now() + SLICE_MS;
      }
    }
    compareRows(this.marks);
    this.#markNear();
    if (this.#options.soft && !this.#hasSoft && chosen.every(rows => rows === null)) this.#markWithoutSoft();
    if (this.#isNoneLeft()) this.#markNoneLeft();
  }

  #add(part: RowPart, row: number, near: ReturnType<typeof createNearDuplicates>): void {
    const { marks } = this;
    const examined = examineRow(part, row, this.#text, this.#options);
    const isTrained = part.isTrained(row);
    const at = marks.length++;
    marks.rows[at] = part.first + row;
    marks.findings[at] = examined.findings;
    marks.lengths[at] = examined.length;
    marks.isTrained[at] = isTrained ? 1 : 0;
    this.#hasSoft ||= examined.hasSoft;
    addTo(this.#sides[isTrained ? 0 : 1], examined);
    const { format, texts } = examined;
    if (format !== null) this.#formats.set(format, (this.#formats.get(format) ?? 0) + 1);
    if (!texts) return;
    marks.scripts[at] = scriptsOf(compared(texts));
    marks.identities[at] = hashText(texts.identity);
    marks.questions[at] = texts.question.trim() === '' ? 0 : hashText(texts.question);
    const earlier = near.add(at, compared(texts));
    if (earlier !== -1) this.#similar.push([at, earlier]);
  }

  /** Rows that are the same are not reported as nearly the same, too. */
  #markNear(): void {
    const { marks } = this;
    const exact = bitOf('duplicate') | bitOf('in_both');
    for (const [at, earlier] of this.#similar)
      if (!(marks.findings[at]! & exact) && marks.identities[at] !== marks.identities[earlier])
        marks.mark(at, bitOf('near_duplicate'), earlier);
  }

  #isNoneLeft(): boolean {
    const { training } = this.#open;
    return training.length > 0 && this.#sides[0].skipped === training.length;
  }

  /** Skipped rows are no problem of their own as long as others are left to train on. */
  #markNoneLeft(): void {
    const { marks } = this;
    const skipped = bitOf('skipped');
    for (let at = 0; at < marks.length; at++)
      if (marks.isTrained[at] && marks.findings[at]! & skipped)
        marks.findings[at] = (marks.findings[at]! & ~skipped) | bitOf('too_long');
  }

  /** Training refuses them, too. Of a sample, other rows might have something of a teacher. */
  #markWithoutSoft(): void {
    const { marks } = this;
    for (let at = 0; at < marks.length; at++)
      if (marks.lengths[at]! > 0) marks.mark(at, bitOf('no_logprobs'));
  }

  #createNear(chosen: readonly (readonly number[] | null)[]) {
    const [first] = this.#open.parts as [RowPart];
    const rows = chosen[0] ?? null;
    const length = rows?.length ?? first.table.length;
    const every = Math.max(1, Math.floor(length / BOILERPLATE_ROWS));
    const texts: string[] = [];
    for (let i = 0; i < length; i += every)
      texts.push(this.#textOf(first.first + (rows ? rows[i]! : i)) ?? '');
    return createNearDuplicates(findBoilerplate(texts), at => this.#textOf(this.marks.rows[at]!));
  }

  #textOf(row: number): string | null {
    const part = partOf(this.#open.parts, row);
    const { texts } = examineRow(part, row - part.first, this.#text, this.#options);
    return texts && compared(texts);
  }

  report(): DataReport {
    const { marks } = this;
    const [training, evaluation] = this.#sides;
    const { parts, training: trained, evaluation: held } = this.#open;
    const tables = parts.map(({ table }) => table);
    const rows = tables.reduce((sum, { length }) => sum + length, 0);
    // Training leaves skipped rows out of small data sets before it plans its steps.
    const left = fits(tables, LIMITS.small) ? training.skipped : 0;
    const planned = trained.length + countReplayed(trained.length, this.#options.replayShare ?? 0);
    return {
      name: this.#open.name,
      formats: [...this.#formats]
        .map(([name, count]) => ({ name, rows: count }))
        .sort((a, b) => b.rows - a.rows),
      rows,
      checked: marks.length,
      training: { ...training, rows: trained.length },
      evaluation: held.length === 0 ? null : { ...evaluation, rows: held.length },
      totalSteps: this.#isNoneLeft() ? 0 : planSteps(planned - left, this.#options).totalSteps,
      lengths: describeLengths(marks.lengths.filter(length => length > 0)),
      findings: countFindings(marks),
    };
  }
}

/** The keys for comparing rows. */
const compared = ({ asked, answers }: { asked: string; answers: readonly string[] }) =>
  [asked, ...answers].join('\n');

function newSide(): Side {
  return { rows: 0, checked: 0, skipped: 0, tokens: 0, learned: 0 };
}

function addTo(side: Side, { tokens, learned, texts }: Examined): void {
  side.checked++;
  side.tokens += tokens;
  side.learned += learned;
  if (texts !== null && tokens === 0) side.skipped++;
}

function countFindings({ findings, length }: RowMarks): Finding[] {
  return FINDING_NAMES.flatMap(name => {
    const bit = bitOf(name);
    let rows = 0;
    for (let at = 0; at < length; at++) if (findings[at]! & bit) rows++;
    return rows === 0 ? [] : [{ name, grade: FINDINGS[name], rows }];
  });
}

/** The lengths of rows in tokens as a histogram with round bounds. */
interface Lengths {
  shortest: number;
  median: number;
  longest: number;
  /** Rows with at least `from` and less than `to` tokens; all rows are in one. The last one may be wide. */
  bins: { from: number; to: number; rows: number }[];
}

const MOST_BINS = 20;
/** A few rows far beyond nearly all others share the last bin. */
const NEARLY_ALL = 0.98;

/** Null if there are none. */
function describeLengths(lengths: Uint32Array): Lengths | null {
  if (lengths.length === 0) return null;
  const sorted = lengths.toSorted();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
  const [shortest, longest] = [sorted[0]!, sorted.at(-1)!];
  const end = Math.min(longest, Math.ceil(1.5 * at(NEARLY_ALL)));
  const width = roundUp((end - shortest + 1) / MOST_BINS);
  const first = Math.floor(shortest / width);
  const even = Math.floor(end / width) - first + 1;
  const hasMore = longest >= (first + even) * width;
  const bins = Array.from({ length: even + (hasMore ? 1 : 0) }, (_, index) => ({
    from: (first + index) * width,
    to: index < even ? (first + index + 1) * width : longest + 1,
    rows: 0,
  }));
  for (const length of sorted) bins[Math.min(bins.length - 1, Math.floor(length / width) - first)]!.rows++;
  return { shortest, median: at(0.5), longest, bins };
}

/** Rounds to 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return power * [1, 2, 5, 10].find(step => step * power >= value)!;
}

/** A hash of a text for a table in memory: 53 bits, so that among a few million texts a collision is unlikely. */
function hashText(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    b = Math.imul(b ^ unit, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (b & 0x1fffff) * 2 ** 32 + (a >>> 0);
}

// What is wrong with a single row, from the same tokens and masks that training uses.
import {
  type ModelText,
  NothingToLearnError,
  RowError,
  type RowTexts,
  readRowTexts,
} from '../../text/index.js';
import { formatOf } from '../../text/row-formats.js';
import { type DataRow, DatasetError } from '../data/index.js';
import { type EncodingOptions, TooLongError } from '../encoded-rows.js';
import type { RowPart } from '../open-rows.js';
import { countLabels } from '../packing.js';
import type { EncodedExample } from '../token-cache.js';
import { bitOf } from './findings.js';
import { hasBrokenCharacters, hasLongLine, hasMixedLetters } from './letters.js';

export interface Examined {
  /** The name of its format; null for a row that cannot be read. */
  format: string | null;
  /** Its findings, as bits. */
  findings: number;
  /** In tokens, before truncation; 0 for a row that cannot be trained on. */
  length: number;
  /** Tokens that the model sees, and those of them that it learns. */
  tokens: number;
  learned: number;
  texts: RowTexts | null;
  /** Whether it says what a teacher expected. */
  hasSoft: boolean;
  /** The row as it is; null if it cannot be read. */
  content: DataRow['row'] | null;
  /** Why training refuses it; null for a row that it reads. */
  refusal: string | null;
}

export type RowSource = Pick<RowPart, 'table' | 'rows'>;

/** How rows are read: what is learned of them, and whether they are pairs of answers, or prompts. */
export type ReadingOptions = Pick<EncodingOptions, 'trainOn' | 'method' | 'soft' | 'variables'>;

const NOTHING = { length: 0, tokens: 0, learned: 0, texts: null, hasSoft: false };

export function examineRow(
  { table, rows }: RowSource,
  index: number,
  text: ModelText,
  options: ReadingOptions,
): Examined {
  let format: string | null = null;
  let content: Examined['content'] = null;
  try {
    const { row } = table.read(index);
    content = row;
    format = formatOf(Object.keys(row), options.method ?? 'sft')?.name ?? null;
    const example = rows.at(index);
    const texts = readRowTexts(row, text.hasChatTemplate, options);
    const isSkipped = example.ids.length === 0;
    return {
      format,
      findings:
        findInTokens(example, text, options) |
        findInTexts(texts) |
        findInThoughts(example, texts, text) |
        findInTokensOfTeacher(example, text) |
        findInTools(texts, text),
      length: example.length,
      tokens: example.ids.length,
      learned: isSkipped ? 0 : countLabels(example),
      texts,
      hasSoft: example.soft !== undefined,
      content,
      refusal: null,
    };
  } catch (error) {
    return { ...NOTHING, format, content, findings: findInError(error), refusal: refusalOf(error) };
  }
}

/** Why training refuses the row, or null if that has another reason than the row. */
export function refusalOf(error: unknown): string | null {
  return error instanceof RowError || error instanceof DatasetError ? error.reason : null;
}

function findInError(error: unknown): number {
  if (refusalOf(error) === null) throw error;
  const { cause } = error as Error;
  if (cause instanceof NothingToLearnError) return bitOf(cause.isEmpty ? 'empty_answer' : 'nothing_learned');
  return bitOf(error instanceof TooLongError ? 'too_long' : 'unreadable');
}

function findInTokens(example: EncodedExample, text: ModelText, { method }: ReadingOptions): number {
  if (example.ids.length === 0) return bitOf('skipped');
  if (method === 'grpo') return 0;
  const sides = sidesOf(example);
  if (example.length > Math.max(...sides.map(({ ids }) => ids.length))) return bitOf('cut');
  return sides.every(side => endsTurn(side, text)) ? 0 : bitOf('no_end');
}

/** The row's texts: one, or the two of a pair. */
function sidesOf({ ids, supervised, chosen }: EncodedExample): Pick<EncodedExample, 'ids' | 'supervised'>[] {
  if (chosen === undefined) return [{ ids, supervised }];
  return [
    { ids: ids.subarray(0, chosen), supervised: supervised.subarray(0, chosen) },
    { ids: ids.subarray(chosen), supervised: supervised.subarray(chosen) },
  ];
}

/** Whether the last thing learned ends the turn or the text. Without that, a model does not learn to stop. */
function endsTurn({ ids, supervised }: Pick<EncodedExample, 'ids' | 'supervised'>, text: ModelText): boolean {
  if (text.endIds.length === 0) return true;
  for (let at = ids.length - 1; at >= 0; at--) {
    if (!supervised[at]) continue;
    if (text.endIds.includes(ids[at]!)) return true;
    if (!isBlank(text.bytesOf(ids[at]!))) return false;
  }
  return false;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every(byte => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

/** Whether the teacher wrote a part of the answer in other tokens. */
function findInTokensOfTeacher(
  { ids, supervised, soft, length }: EncodedExample,
  { isSpecial, bytesOf }: ModelText,
): number {
  const isCut = length > ids.length;
  if (!soft || isCut) return 0;
  const rest = ids.subarray(soft.first + soft.ends.length, supervised.lastIndexOf(1) + 1);
  return rest.every(id => isSpecial(id) || isBlank(bytesOf(id))) ? 0 : bitOf('other_tokens');
}

/** Templates leave thoughts out that they have no place for, and those of earlier turns. */
function findInThoughts(example: EncodedExample, { thoughts }: RowTexts, text: ModelText): number {
  const isCut = example.length > example.ids.length;
  if (thoughts.length === 0 || isCut) return 0;
  const seen = text.decode(example.ids).normalize();
  return thoughts.every(thought => seen.includes(thought.trim().normalize())) ? 0 : bitOf('lost_thought');
}

/** A template without a place for tools leaves it to svc where they are said. */
function findInTools({ callFaults, hasTools }: RowTexts, { rendersTools }: ModelText): number {
  const found = hasTools && !rendersTools ? bitOf('tools_as_text') : 0;
  return callFaults.reduce((bits, fault) => bits | bitOf(fault), found);
}

function findInTexts({ asked, answers, emptyAnswers }: RowTexts): number {
  let found = emptyAnswers > 0 ? bitOf('empty_turn') : 0;
  for (const text of [asked, ...answers]) {
    if (hasMixedLetters(text)) found |= bitOf('mixed_letters');
    if (hasBrokenCharacters(text)) found |= bitOf('broken_characters');
    if (hasLongLine(text)) found |= bitOf('long_line');
  }
  return found;
}

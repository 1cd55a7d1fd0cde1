// A row token by token, as the model will see it: what is learned, what is only read, and what is cut off.
import type { ModelText } from '../../text/index.js';
import { examineRow, type RowSource, refusalOf } from './examine-row.js';

export interface TokenPiece {
  /** One token, or several that make up one character. */
  ids: number[];
  text: string;
  kind: 'learned' | 'read' | 'cut';
  /** Whether it is a marker of the model, such as the end of a turn. */
  special: boolean;
}

export interface RowView {
  /** In tokens, before truncation; 0 for a row that cannot be trained on. */
  length: number;
  /** Tokens that the model sees, and those of them that it learns. */
  tokens: number;
  learned: number;
  /** Why training refuses it; null for a row that it reads. */
  refusal: string | null;
}

export function viewRow(
  source: RowSource,
  index: number,
  text: ModelText,
  trainOn: 'assistant' | 'all',
): RowView {
  const { length, tokens, learned } = examineRow(source, index, text, trainOn);
  return { length, tokens, learned, refusal: findRefusal(source, index) };
}

function findRefusal({ rows }: RowSource, index: number): string | null {
  try {
    rows.at(index);
    return null;
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === null) throw error;
    return reason;
  }
}

/** The first `most` tokens. Empty if the row has none. */
export function piecesOf(
  { table, rows }: RowSource,
  index: number,
  text: ModelText,
  { trainOn, most }: { trainOn: 'assistant' | 'all'; most: number },
): TokenPiece[] {
  try {
    const { row, file, number } = table.read(index);
    const whole = text.encodeRow(row, { trainOn, file, row: number });
    const kept = keptTokens(rows, index);
    const kindOf = (at: number) => (at >= kept ? 'cut' : whole.supervised[at] ? 'learned' : 'read');
    return toPieces(whole.ids.subarray(0, most), kindOf, text);
  } catch (error) {
    if (refusalOf(error) === null) throw error;
    return [];
  }
}

/** How many tokens training keeps. */
function keptTokens(rows: RowSource['rows'], index: number): number {
  try {
    return rows.at(index).ids.length;
  } catch {
    return 0;
  }
}

/** A character that takes several tokens becomes one piece of the last one's kind. */
function toPieces(
  ids: Int32Array,
  kindOf: (at: number) => TokenPiece['kind'],
  text: ModelText,
): TokenPiece[] {
  const pieces: TokenPiece[] = [];
  const decoder = text.createStreamDecoder();
  let open: number[] = [];
  for (const [at, id] of ids.entries()) {
    open.push(id);
    const written = decoder.push(id);
    if (written === '' && text.bytesOf(id).length > 0 && !text.isSpecial(id)) continue;
    pieces.push({ ids: open, text: written, kind: kindOf(at), special: text.isSpecial(id) });
    open = [];
  }
  if (open.length > 0)
    pieces.push({ ids: open, text: decoder.flush(), kind: kindOf(ids.length - 1), special: false });
  return pieces;
}

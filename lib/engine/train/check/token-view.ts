// A row token by token, as the model will see it: learned, context only, or truncated.
import type { ModelText } from '../../text/index.js';
import { type ReadingOptions, type RowSource, refusalOf } from './examine-row.js';

interface TokenPiece {
  /** One token, or several that make up one character. */
  ids: number[];
  text: string;
  kind: 'learned' | 'read' | 'cut';
  /** Whether it is a marker of the model, such as the end of a turn. */
  special: boolean;
}

/** A text of a row: the only one, or one of the two of a pair. */
export interface TokenText {
  label: 'chosen' | 'rejected' | null;
  pieces: TokenPiece[];
  /** How many tokens there are beyond the pieces. */
  omitted: number;
}

/** With the first `most` tokens of each text. Empty if the row cannot be trained on. */
export function textsOf(
  { table, rows }: RowSource,
  index: number,
  text: ModelText,
  { most, ...options }: ReadingOptions & { most: number },
): TokenText[] {
  try {
    const { row, file, number } = table.read(index);
    const { ids, supervised, chosen } = text.encodeRow(row, { ...options, file, row: number });
    const kept = keptTokens(rows, index);
    const toText = (label: TokenText['label'], from: number, end: number, keeps: number): TokenText => {
      const kindOf = (at: number) => (at >= keeps ? 'cut' : supervised[from + at] ? 'learned' : 'read');
      const shown = ids.subarray(from, Math.min(end, from + most));
      return { label, pieces: toPieces(shown, kindOf, text), omitted: end - from - shown.length };
    };
    if (chosen === undefined) return [toText(null, 0, ids.length, kept.all)];
    return [
      toText('chosen', 0, chosen, kept.chosen),
      toText('rejected', chosen, ids.length, kept.all - kept.chosen),
    ];
  } catch (error) {
    if (refusalOf(error) === null) throw error;
    return [];
  }
}

/** How many tokens training keeps: all, and those of a pair's chosen text. */
function keptTokens(rows: RowSource['rows'], index: number): { all: number; chosen: number } {
  try {
    const { ids, chosen = 0 } = rows.at(index);
    return { all: ids.length, chosen };
  } catch {
    return { all: 0, chosen: 0 };
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

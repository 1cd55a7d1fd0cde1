// Letters of a text as people count them. Almost every text has one in each code unit, which is known from a pattern;
// only the others need a segmenter, which takes a program 10 ms to make.

/** Letters of one code unit and one column. */
const PLAIN =
  ' -~\\u00a1-\\u00ac\\u00ae-\\u02ff\\u0370-\\u0482\\u048a-\\u052f\\u2010-\\u2027\\u2030-\\u205e\\u2190-\\u21ff\\u2500-\\u25fc\\u2713\\u2717\\u2800-\\u28ff';
const ONLY_PLAIN = new RegExp(`^[${PLAIN}]*$`);
/** With control characters, as in styled text. A carriage return can be one letter with the newline after it. */
const ONLY_SINGLE = new RegExp(`^[${PLAIN}\\0-\\x0c\\x0e-\\x1f]*$`);

interface Letter {
  readonly segment: string;
  readonly index: number;
}

export interface Letters extends Iterable<Letter> {
  /** The letter to which a code unit belongs. */
  containing(index?: number): Letter | undefined;
}

/** Whether every code unit takes one column. */
export const isPlain = (text: string): boolean => ONLY_PLAIN.test(text);

let intl: Intl.Segmenter | undefined;

export function graphemesOf(text: string): Letters {
  if (ONLY_SINGLE.test(text)) return singleLetters(text);
  return {
    containing: index => segmentsOf(text).containing(index),
    *[Symbol.iterator]() {
      for (const { piece, start } of piecesOf(text))
        for (const { segment, index } of segmentsOf(piece)) yield { segment, index: start + index };
    },
  };
}

function segmentsOf(text: string): Intl.Segments {
  intl ??= new Intl.Segmenter('en');
  return intl.segment(text);
}

/** How many code units a segmenter is given: for each letter, it takes longer the longer the text is. */
export const PIECE = 512;

/** The text in pieces that end between letters. */
export function* piecesOf(text: string): Iterable<{ readonly piece: string; readonly start: number }> {
  let size = PIECE;
  for (let start = 0; start < text.length; ) {
    const isHalved = text.codePointAt(start + size - 1)! > 0xffff;
    const piece = text.slice(start, start + size - (isHalved ? 1 : 0));
    const isLast = start + piece.length >= text.length;
    // The last letter may go on in the next piece.
    const end = isLast ? piece.length : segmentsOf(piece).containing(piece.length - 1)!.index;
    if (end === 0) size *= 2;
    else {
      yield { piece: piece.slice(0, end), start };
      start += end;
      size = PIECE;
    }
  }
}

function singleLetters(text: string): Letters {
  const containing = (index = 0) => {
    const segment = text[index];
    return segment === undefined ? undefined : { segment, index };
  };
  return {
    containing,
    *[Symbol.iterator]() {
      for (let index = 0; index < text.length; index++) yield containing(index)!;
    },
  };
}

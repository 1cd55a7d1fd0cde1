// Styled terminal text: measuring, cutting and wrapping it, and messages with code.

import { toSafeLine, toSafeText } from '../safe-text.js';
import { cutToWidth, displayWidth, takeWidth, wrapToWidth } from './display-width.js';

/** The meaning of a text, which determines its color. */
export type Tone =
  | 'queued'
  | 'running'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'training'
  | 'evaluation'
  | 'score'
  | 'accent'
  | 'warning'
  | 'run1'
  | 'run2'
  | 'run3'
  | 'run4'
  | 'run5'
  | 'run6';

export interface Style {
  readonly tone?: Tone | undefined;
  readonly bold?: boolean | undefined;
  readonly dim?: boolean | undefined;
  readonly inverse?: boolean | undefined;
  readonly strike?: boolean | undefined;
}

/** Text in one style. */
export interface Span {
  readonly text: string;
  readonly style?: Style | undefined;
}

export function spansWidth(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + displayWidth(text), 0);
}

/** Padded or cut, with an ellipsis, to exactly this width. */
export function fitSpans(spans: readonly Span[], width: number): Span[] {
  const isCut = spansWidth(spans) > width;
  const row = isCut ? wrapSpans(spans, width - 1)[0]! : spans;
  return [...row, { text: (isCut && width > 0 ? '…' : '').padEnd(width - spansWidth(row)) }];
}

/** Fills rows to the last column; breaks at line feeds. */
export function wrapSpans(parts: Iterable<Span>, width: number): Span[][] {
  const lines: Span[][] = [[]];
  let room = width;
  const breakLine = () => {
    lines.push([]);
    room = width;
  };
  for (const { text, style } of parts) {
    for (const [index, part] of withoutTabs(text).split('\n').entries()) {
      if (index > 0) breakLine();
      for (let rest = part; rest !== ''; ) {
        const taken = takeWidth(rest, room);
        if (taken === '' && room === width) break; // No character fits on any line.
        lines.at(-1)!.push({ text: taken, style });
        room -= displayWidth(taken);
        rest = rest.slice(taken.length);
        if (rest !== '') breakLine();
      }
    }
  }
  return lines;
}

/** Breaks between words; only words longer than a line are split. */
export function wrapWords(parts: readonly Span[], width: number): Span[][] {
  const tabless = parts.map(part => ({ ...part, text: withoutTabs(part.text) }));
  const whole = tabless.map(({ text }) => text).join('');
  let at = 0;
  return whole
    .split('\n')
    .flatMap(row => wrapToWidth(row, width))
    .map(row => {
      const start = whole.indexOf(row, at);
      at = start + row.length;
      return sliceSpans(tabless, start, at);
    });
}

function withoutTabs(text: string): string {
  return text.replaceAll('\t', '    ');
}

function sliceSpans(spans: readonly Span[], from: number, to: number): Span[] {
  let start = 0;
  return spans.flatMap(({ text, style }) => {
    const cut = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    start += text.length;
    return cut === '' ? [] : [{ text: cut, style }];
  });
}

/** The rows of multi-line text; if there are more than `limit`, the last one ends with an ellipsis. */
export function paragraphRows(text: string, width: number, limit = Number.POSITIVE_INFINITY): string[] {
  const rows = toSafeText(text)
    .split('\n')
    .flatMap(row => wrapToWidth(row, width));
  const shownRows = rows.slice(0, limit);
  if (shownRows.length < rows.length) shownRows.push(`${shownRows.pop() ?? ''}…`);
  return shownRows;
}

/** The rows of a message: text in backticks is bold, without the backticks. */
export function messageRows(
  text: string,
  width: number,
  style: Style = {},
  limit = Number.POSITIVE_INFINITY,
): Span[][] {
  const parts = codeParts(toSafeText(text)).map(
    ({ text, isCode }): Span => ({ text, style: isCode ? { ...style, bold: true } : style }),
  );
  const rows = wrapWords(parts, width);
  const shownRows = rows.slice(0, limit);
  if (shownRows.length < rows.length) shownRows.push([...(shownRows.pop() ?? []), { text: '…', style }]);
  return shownRows;
}

/** An error message, prefixed with a sign. */
export function problemRows(text: string, sign: string, width: number, limit?: number): Span[][] {
  const style: Style = { tone: 'failed' };
  return messageRows(text, width - 2, style, limit).map((row, index) => [
    { text: index === 0 ? `${sign} ` : '  ', style },
    ...row,
  ]);
}

/** One line of exactly this width, cut with an ellipsis. */
export function fitText(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const cut = cutToWidth(toSafeLine(text), width);
  const gap = ' '.repeat(Math.max(0, width - displayWidth(cut)));
  return align === 'left' ? cut + gap : gap + cut;
}

interface TextPart {
  readonly text: string;
  readonly isCode: boolean;
}

/** Requires non-space characters at both ends, so that a lone backtick does not match. */
const CODE = /(`[^`\s](?:[^`\n]*[^`\s])?`)/;

/** Splits ``Run `svc login`.`` into text and code, without the backticks. An unpaired backtick is kept. */
export function codeParts(text: string): TextPart[] {
  return text
    .split(CODE)
    .map((part, index) =>
      index % 2 === 1 ? { text: part.slice(1, -1), isCode: true } : { text: part, isCode: false },
    )
    .filter(part => part.text !== '');
}

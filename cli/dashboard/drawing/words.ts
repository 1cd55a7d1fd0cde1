// Text shared by several views: a status with its glyph, problems, loading.

import { codeParts, toSafeText, wrapToWidth } from '../../../lib/console/index.js';
import type { JobStatus } from '../../../lib/contract/index.js';
import type { Glyphs } from '../terminal/glyphs.js';
import { type Line, line, quiet, type Span, type Style, span } from './line.js';
import { wrapWords } from './wrap-spans.js';

/** `● running`: never color alone. */
export function statusSpan(status: JobStatus, glyphs: Glyphs): Span {
  return span(`${glyphs.status[status]} ${status}`, status === 'queued' ? quiet : { tone: status });
}

/** `● enabled`, `○ disabled` */
export function enabledSpan(isEnabled: boolean, label: string, glyphs: Glyphs): Span {
  return isEnabled
    ? span(`${glyphs.on} ${label}`, { tone: 'completed' })
    : span(`${glyphs.off} ${label}`, quiet);
}

/** Text of several lines, wrapped; beyond `limit` rows, the last one ends with an ellipsis. */
export function paragraph(
  text: string,
  width: number,
  style: Style = {},
  limit = Number.POSITIVE_INFINITY,
): Line[] {
  const rows = toSafeText(text)
    .split('\n')
    .flatMap(row => wrapToWidth(row, width));
  const kept = rows.slice(0, limit);
  if (kept.length < rows.length) kept.push(`${kept.pop() ?? ''}…`);
  return kept.map(row => line(row, style));
}

/** The same of a message: what it sets in backticks is bold, without them. */
export function messageLines(
  text: string,
  width: number,
  style: Style = {},
  limit = Number.POSITIVE_INFINITY,
): Line[] {
  const parts = codeParts(toSafeText(text)).map(({ text, isCode }) => ({
    text,
    style: isCode ? { ...style, bold: true } : style,
  }));
  const rows = wrapWords(parts, width);
  const kept = rows.slice(0, limit);
  if (kept.length < rows.length) kept.push([...(kept.pop() ?? []), span('…', style)]);
  return kept;
}

/** A problem, in red. */
export function problemLines(
  problem: string | null,
  { width, glyphs }: { width: number; glyphs: Glyphs },
  limit = 3,
): Line[] {
  if (problem === null) return [];
  const [first = [], ...rest] = messageLines(problem, width - 2, { tone: 'failed' }, limit);
  const sign = span(`${glyphs.status.failed} `, { tone: 'failed' });
  return [[sign, ...first], ...rest.map(row => [span('  '), ...row])];
}

/** The same with a left margin, for use outside a panel. */
export function problemRows(
  problem: string | null,
  { width, glyphs }: { width: number; glyphs: Glyphs },
  limit = 3,
): Line[] {
  return problemLines(problem, { width: width - 1, glyphs }, limit).map(row => [span(' '), ...row]);
}

/** Shown until something has loaded: nothing at first, then a word. */
export function waitingLine(isSlow: boolean): Line[] {
  return isSlow ? [line('Loading…', quiet)] : [];
}

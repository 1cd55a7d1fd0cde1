// Requests that an endpoint has kept, in a terminal: a line each, and one in full.
import type { KeptRequest } from '../contract/index.js';
import { keptFigures, keptTurns } from './kept-requests.js';
import { fitText, paragraphRows, type Span, type Style } from './spans.js';

const MARK = 11;
const MARK_STYLES: Readonly<Record<string, Style>> = {
  good: { tone: 'completed' },
  bad: { tone: 'failed' },
  corrected: { tone: 'warning' },
};

const askedWidth = (width: number) => Math.floor((width - MARK - 2) * 0.45);
/** Of more than fits any screen, the start is enough. */
const oneLine = (text: string) => text.slice(0, 1000).replaceAll(/\s+/g, ' ');

export function keptTitles(width: number): string {
  return `${' Mark'.padEnd(MARK)}${'Asked'.padEnd(askedWidth(width) + 2)}Answer`;
}

export function keptCells(request: KeptRequest, width: number): Span[] {
  const { mark, asked, answer, correction, outcome } = keptFigures(request);
  const isCut = outcome !== null && correction === null;
  return [
    { text: fitText(` ${mark}`, MARK), style: MARK_STYLES[mark] },
    { text: `${fitText(oneLine(asked), askedWidth(width))}  `, style: { dim: true } },
    ...(isCut ? [{ text: `${outcome}  `, style: { tone: 'warning' } as const }] : []),
    { text: oneLine(correction ?? answer) },
  ];
}

/** The conversation, the answer, and what it should have been. */
export function keptDetail(request: KeptRequest, width: number): Span[][] {
  const { answer, correction, outcome } = keptFigures(request);
  const said = [
    ...keptTurns(request).map(turn => ({ ...turn, dim: true })),
    { role: outcome ? `answer, ${outcome}` : 'answer', text: answer, dim: correction !== null },
    ...(correction === null ? [] : [{ role: 'corrected', text: correction, dim: false }]),
  ];
  return said.flatMap(({ role, text, dim }) =>
    paragraphRows(`${role}: ${text}`, width).map(row => [{ text: row, style: { dim } }]),
  );
}

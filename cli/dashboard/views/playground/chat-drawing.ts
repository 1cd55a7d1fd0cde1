// A conversation as rows: the speaker on its own row, the text below.
import {
  type ChatTurn,
  type ChatView,
  type RowPlace,
  type RowSource,
  toSafeText,
  wrapToWidth,
} from '../../../../lib/console/index.js';
import { type Line, line, quiet } from '../../drawing/line.js';
import type { Glyphs } from '../../terminal/glyphs.js';

const drawn = new WeakMap<ChatTurn, { width: number; rows: Line[] }>();

export function chatSource({ turns }: ChatView, width: number, glyphs: Glyphs): RowSource {
  return {
    first: 0,
    end: turns.length,
    rowsOf: item => turnRows(turns[item]!, width, glyphs).length,
  };
}

export function chatLines(
  { turns }: ChatView,
  places: readonly RowPlace[],
  width: number,
  glyphs: Glyphs,
): Line[] {
  return places.map(({ item, row }) => turnRows(turns[item]!, width, glyphs)[row] ?? []);
}

function turnRows(turn: ChatTurn, width: number, glyphs: Glyphs): Line[] {
  const known = drawn.get(turn);
  if (known?.width === width) return known.rows;
  const rows = [
    line('You', { bold: true }),
    ...said(turn.question, width),
    line(turn.model, { bold: true, tone: 'accent' }),
    ...said(turn.reply + (turn.state === 'streaming' ? glyphs.caret : ''), width),
    ...ending(turn, width),
    [],
  ];
  drawn.set(turn, { width, rows });
  return rows;
}

function said(text: string, width: number): Line[] {
  if (text === '') return [];
  return toSafeText(text)
    .split('\n')
    .flatMap(row => wrapToWidth(row, width))
    .map(row => line(row));
}

function ending({ state, error, reply }: ChatTurn, width: number): Line[] {
  if (state === 'stopped') return [line('Stopped.', quiet)];
  if (state === 'failed') return wrapToWidth(error ?? '', width).map(row => line(row, { tone: 'failed' }));
  return state === 'done' && reply === '' ? [line('The answer is empty.', quiet)] : [];
}

// The Playground in a terminal: who answers, where the conversations stand, and their turns as rows of a given width.
import type { ChatTurn } from './chat-view.js';
import { displayWidth } from './display-width.js';
import type { Glyphs } from './glyphs.js';
import { messageRows, paragraphRows, type Span, type Style } from './spans.js';

/** Only a turn that changes is wrapped again. */
const wrapped = new WeakMap<ChatTurn, { readonly width: number; readonly rows: readonly Span[][] }>();

/** The speaker on a row of its own, the text below. */
export function turnRows(turn: ChatTurn, width: number, caret: string): readonly Span[][] {
  const known = wrapped.get(turn);
  if (known?.width === width) return known.rows;
  const { question, model, reply, state, error } = turn;
  const said = (text: string, style?: Style) =>
    text === '' ? [] : paragraphRows(text, width).map(text => [{ text: text || ' ', style }]);
  const rows = [
    [{ text: 'You', style: { bold: true } }],
    ...said(question),
    [{ text: model, style: { bold: true, tone: 'accent' as const } }],
    ...said(state === 'streaming' ? reply + caret : reply),
    ...(state === 'stopped' ? said('Stopped.', { dim: true }) : []),
    ...(state === 'failed' ? messageRows(error ?? '', width, { tone: 'failed' }) : []),
    ...(state === 'done' && reply === '' ? said('The answer is empty.', { dim: true }) : []),
    [{ text: ' ' }],
  ];
  wrapped.set(turn, { width, rows });
  return rows;
}

interface Answering {
  readonly isBase: boolean;
  /** Null while it is unknown. */
  readonly baseModel: string | null;
  readonly adapter: string;
}

/** Who answers and who could; the name of the one who does not is dropped first. */
export function modeSpans(
  { isBase, baseModel, adapter }: Answering,
  width: number,
  { on, off }: Pick<Glyphs, 'on' | 'off'>,
): Span[] {
  const base = baseModel === null ? 'Base model' : `Base model: ${baseModel}`;
  const named = `Adapter: ${adapter}`;
  const least = ['Base model', isBase ? 'Adapter' : named];
  const offered = [[base, named], isBase ? [base, 'Adapter'] : least];
  const texts = offered.find(texts => displayWidth(` * ${texts.join('    * ')}`) < width) ?? least;
  return texts.flatMap((text, index) => {
    const isOn = isBase === (index === 0);
    const style = { bold: isOn, dim: !isOn };
    return [
      {
        text: `${index === 0 ? ' ' : '    '}${isOn ? on : off}`,
        style: { ...style, tone: isOn ? 'accent' : undefined },
      },
      { text: ` ${text}`, style },
    ] as const;
  });
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** From here on two conversations fit side by side. */
const WIDE = 100;

/** The panes of so many conversations: side by side or one below the other. */
export function chatPanes(
  { width, height }: Size,
  isTwo: boolean,
): { isRow: boolean; first: Size; second: Size } {
  const isRow = width >= WIDE;
  const parts = isTwo ? 2 : 1;
  const first = isRow
    ? { width: Math.floor(width / parts), height }
    : { width, height: Math.ceil(height / parts) };
  const second = isRow ? { width: width - first.width, height } : { width, height: height - first.height };
  return { isRow, first, second };
}

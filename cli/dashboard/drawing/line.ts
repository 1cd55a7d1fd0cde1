// A row of the screen, as spans of one style each. A span can only contain text that is safe to draw.
import { cutToWidth, displayWidth, takeWidth, toSafeLine } from '../../../lib/console/index.js';

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
  | `run${1 | 2 | 3 | 4 | 5 | 6}`
  | 'warning';

export interface Style {
  readonly tone?: Tone | undefined;
  readonly bold?: boolean | undefined;
  readonly dim?: boolean | undefined;
  readonly inverse?: boolean | undefined;
  readonly strike?: boolean | undefined;
  readonly click?: Click | undefined;
}

/** What a click does: a command by its name, or selecting the row so far from the selected one; a click on that one opens it. */
export type Click = string | number;

type SafeText = string & { readonly isSafe: true };

export interface Span extends Style {
  readonly text: SafeText;
}

export type Line = readonly Span[];

const BLANK: Line = [];

/** Untrusted text in a style. */
export function span(text: string, style: Style = {}): Span {
  return { ...style, text: toSafeLine(text) as SafeText };
}

/** A line of one span. */
export function line(text: string, style: Style = {}): Line {
  return [span(text, style)];
}

export const quiet: Style = { dim: true };

export function lineWidth(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + displayWidth(text), 0);
}

/** The line in at most `width` columns, with an ellipsis where it was cut. */
export function cutLine(spans: Line, width: number): Line {
  if (lineWidth(spans) <= width) return spans;
  const kept: Span[] = [];
  let room = width;
  for (const { text, ...style } of spans) {
    const taken = displayWidth(text);
    if (taken < room) kept.push({ ...style, text });
    else {
      // The next span would not fit, so this one is cut even if it exactly fills the rest.
      kept.push(span(cutToWidth(`${takeWidth(text, room)}  `, room), style));
      break;
    }
    room -= taken;
  }
  return kept;
}

/** The line in exactly `width` columns. */
export function fitLine(spans: Line, width: number, filling: Style = {}): Line {
  const cut = cutLine(spans, width);
  const room = width - lineWidth(cut);
  return room > 0 ? [...cut, span(' '.repeat(room), filling)] : cut;
}

/** The line inverted over the full width, for the selected row. */
export function highlight(spans: Line, width: number): Line {
  return fitLine(spans, width).map(({ text, bold, strike, click }) => ({
    text,
    bold,
    strike,
    click,
    inverse: true,
  }));
}

/** The line with every part of it doing something when it is clicked. */
export function clickable(spans: Line, click: Click): Line {
  return spans.map(part => ({ ...part, click }));
}

/** What a click on a column of the line does. */
export function clickAt(spans: Line, column: number): Click | undefined {
  let end = 0;
  return spans.find(({ text }) => {
    end += displayWidth(text);
    return column < end;
  })?.click;
}

/** One line at the left, one at the right; if they do not both fit, the left one is cut. */
export function spread(left: Line, right: Line, width: number): Line {
  const room = width - lineWidth(right);
  if (room < 1) return cutLine(right, width);
  return [...fitLine(cutLine(left, Math.max(0, room - 1)), room), ...right];
}

/** Two blocks of lines side by side, the left one exactly `leftWidth` columns wide. */
export function beside(left: readonly Line[], leftWidth: number, right: readonly Line[]): Line[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
    ...fitLine(left[index] ?? BLANK, leftWidth),
    ...(right[index] ?? BLANK),
  ]);
}

/** Exactly `height` lines: cut, or filled with blank ones. */
export function fitHeight(lines: readonly Line[], height: number): Line[] {
  return Array.from({ length: Math.max(0, height) }, (_, index) => lines[index] ?? BLANK);
}

/** Lines centered in an area, for empty states. */
export function centered(texts: readonly Line[], width: number, height: number): Line[] {
  const above = Math.max(0, Math.floor((height - texts.length) / 2));
  const lines = texts.map(text => {
    const cut = cutLine(text, width);
    return [span(' '.repeat(Math.floor((width - lineWidth(cut)) / 2))), ...cut];
  });
  return fitHeight([...Array.from({ length: above }, () => BLANK), ...lines], height);
}

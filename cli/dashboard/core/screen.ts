// The whole screen as lines: title and tabs, the view, a line for questions, prompts and notices, and the hints.
import {
  awayNotice,
  CLOUD_LINK_TEXT,
  type CloudLink,
  identityLine,
  linkWithIdentity,
  TABS,
  type Tab,
} from '../../../lib/console/index.js';
import type { Canvas, Drawn, FieldPlace } from '../drawing/canvas.js';
import {
  clickable,
  cutLine,
  fitHeight,
  fitLine,
  type Line,
  line,
  lineWidth,
  quiet,
  type Span,
  type Style,
  span,
  spread,
  type Tone,
} from '../drawing/line.js';
import { messageLines, paragraph, problemRows } from '../drawing/words.js';
import type { Glyphs } from '../terminal/glyphs.js';
import type { CommandName, Scope } from './bindings.js';
import type { Prompt, View } from './context.js';
import { hintLine } from './hints.js';
import type { ShellState } from './shell-state.js';

const LEAST = { columns: 40, rows: 15 };
/** Title, tabs, the line for notices, hints. */
const AROUND = 4;
const VIEW_ROW = 2;
const MOST_TOLD = 3;
const USUAL_COLUMNS = 80;
const USUAL_ROWS = 24;

export interface ScreenOptions {
  readonly shell: ShellState;
  readonly view: View;
  readonly studioUrl: string | null;
  readonly glyphs: Glyphs;
  readonly scopes: readonly Scope[];
  offers(command: CommandName): boolean;
  type(value: string): void;
}

export function viewCanvas(
  shell: Pick<ShellState, 'columns' | 'rows' | 'link' | 'linkProblem'>,
  glyphs: Glyphs,
): Canvas {
  const { columns, rows } = shell;
  const height = Math.max(LEAST.rows, rows) - AROUND - awayLines(shell, glyphs).length;
  return { width: Math.max(LEAST.columns, columns), height, glyphs };
}

/** Above every view while the cloud or Studio is away: what happened, and what to do. */
function awayLines(
  { link, linkProblem, columns, rows }: Pick<ShellState, 'columns' | 'rows' | 'link' | 'linkProblem'>,
  glyphs: Glyphs,
): Line[] {
  const limit = rows < USUAL_ROWS ? 1 : MOST_TOLD;
  return problemRows(awayNotice(link, linkProblem), { width: columns, glyphs }, limit);
}

/** Never wider or taller than the terminal. */
export function drawScreen(options: ScreenOptions): Drawn {
  const { shell, view, glyphs, scopes, offers } = options;
  const { columns, rows } = shell;
  if (columns < LEAST.columns || rows < LEAST.rows) return { lines: tooSmall(shell) };
  const canvas = viewCanvas(shell, glyphs);
  const drawn = view.draw(canvas);
  const away = awayLines(shell, glyphs);
  const viewRow = VIEW_ROW + away.length;
  const foot = footOf(options, canvas, viewRow);
  const lines = [
    titleLine(shell, glyphs),
    tabsLine(shell, options.studioUrl),
    ...away,
    ...fitHeight(drawn.lines, canvas.height - foot.above.length),
    ...foot.above,
    foot.line,
    hintLine(scopes, { width: columns, glyphs, offers }),
  ].map(row => cutLine(row, columns));
  return { lines, field: foot.field ?? moveDown(drawn.field, canvas.height, viewRow) };
}

function titleLine({ identity, identityProblem, link, columns }: ShellState, glyphs: Glyphs): Line {
  const who = identityProblem
    ? span(' identity unknown', { tone: 'failed' })
    : span(` ${identity ? identityLine(identity) : '…'}`);
  return spread(
    [span(' svc ', { bold: true, inverse: true }), who],
    [...linkSpans(identity ? linkWithIdentity(link) : link, columns < USUAL_COLUMNS, glyphs), span(' ')],
    columns,
  );
}

const LINK_TONES: Readonly<Record<CloudLink, Tone | undefined>> = {
  unknown: undefined,
  known: undefined,
  up: 'completed',
  away: 'failed',
  studio_gone: 'failed',
};

const SHORT_LINK: Readonly<Record<CloudLink, string>> = {
  unknown: 'cloud',
  known: 'cloud',
  up: 'cloud',
  away: 'no cloud',
  studio_gone: 'no Studio',
};

function linkSpans(link: CloudLink, isShort: boolean, { on, off, status }: Glyphs): Span[] {
  const sign = { unknown: off, known: off, up: on, away: status.failed, studio_gone: status.failed }[link];
  const tone = LINK_TONES[link];
  const style = tone ? { tone } : quiet;
  return [span(`${sign} ${isShort ? SHORT_LINK[link] : CLOUD_LINK_TEXT[link]}`, style)];
}

function tabsLine({ location, columns }: ShellState, studioUrl: string | null): Line {
  const whole = tabsOf(location.tab, true);
  const tabs = lineWidth(whole) <= columns ? whole : tabsOf(location.tab, false);
  const room = columns - lineWidth(tabs) - 2;
  const address = addressForms(studioUrl).find(text => text.length <= room);
  return spread(tabs, line(address === undefined ? '' : `${address} `, quiet), columns);
}

/** The current tab is always named. */
function tabsOf(here: Tab, areAllNamed: boolean): Line {
  const tabs = TABS.flatMap(({ tab, label }, index) => {
    const isHere = tab === here;
    const named = tabLabel(`${index + 1}`, areAllNamed || isHere ? label : '', isHere);
    return clickable(named, `show${label}`);
  });
  return [span(' '), ...tabs];
}

/** Studio's address, from the longest to the shortest form. */
function addressForms(studioUrl: string | null): string[] {
  if (studioUrl === null) return [];
  const { host, port } = new URL(studioUrl);
  return [studioUrl, host, ...(port === '' ? [] : [`:${port}`])];
}

function tabLabel(key: string, label: string, isHere: boolean): Span[] {
  const text = label === '' ? ` ${key} ` : ` ${key} ${label} `;
  return [span(text, isHere ? { bold: true, inverse: true } : {}), span(' ')];
}

interface Foot {
  /** What does not fit on the line itself; covers the last rows of the view. */
  readonly above: readonly Line[];
  readonly line: Line;
  readonly field?: FieldPlace;
}

/** In order of precedence: a question, a prompt, a notice, the view's own line. */
function footOf(options: ScreenOptions, canvas: Canvas, viewRow: number): Foot {
  const { question, prompt, notice, identityProblem } = options.shell;
  if (question) return toFoot(question.text, { tone: 'warning', bold: true }, canvas);
  const told = notice ?? (identityProblem ? { text: identityProblem, tone: 'failed' as const } : null);
  if (prompt) return promptFoot(options, prompt, notice, canvas, viewRow);
  if (told) return toFoot(told.text, { tone: told.tone }, canvas);
  return { above: [], line: [span(' '), ...options.view.foot(canvas, false)] };
}

function toFoot(text: string, style: Style, { width }: Canvas): Foot {
  const rows = messageLines(text, width - 2, style, MOST_TOLD).map(row => [span(' '), ...row]);
  return { above: rows.slice(0, -1), line: rows.at(-1) ?? [] };
}

/** The prompt, with a notice about it above and the view's own line beside it. */
function promptFoot(
  { view, type }: ScreenOptions,
  { label, scope, value }: Prompt,
  notice: ShellState['notice'],
  canvas: Canvas,
  viewRow: number,
): Foot {
  const { width, height } = canvas;
  const said = view.foot(canvas, true);
  const left: Line = [span(' '), span(label, { bold: true, tone: 'accent' })];
  const right = lineWidth(said) < width / 2 ? [...said, span(' ')] : [];
  const column = lineWidth(left);
  const room = Math.max(1, width - column - lineWidth(right) - 1);
  const told = notice ? toFoot(notice.text, { tone: notice.tone }, canvas) : null;
  return {
    above: told ? [...told.above, told.line] : [],
    line: spread(left, right, width),
    field: { id: scope, row: viewRow + height, column, width: room, value, change: type },
  };
}

/** A view's own field is inactive while something covers it. */
function moveDown(field: FieldPlace | undefined, height: number, viewRow: number): FieldPlace | undefined {
  return field && field.row < height ? { ...field, row: field.row + viewRow } : undefined;
}

function tooSmall({ columns, rows }: ShellState): Line[] {
  const words = [
    `The terminal is too small: ${columns}x${rows}.`,
    `The dashboard needs ${LEAST.columns}x${LEAST.rows}.`,
    'Press q to quit.',
  ];
  const lines = words.flatMap(text => paragraph(text, columns)).map(row => fitLine(row, columns));
  return lines.slice(0, rows);
}

// The help screen: the table of bindings, grouped by scope, and what the mouse does.
import { BINDINGS, SCOPES, type Scope } from '../../core/bindings.js';
import type { Context, View } from '../../core/context.js';
import { keyLabel } from '../../core/key-names.js';
import { createScroller } from '../../core/scroller.js';
import type { Canvas } from '../../drawing/canvas.js';
import { beside, type Line, line, lineWidth, quiet, span } from '../../drawing/line.js';
import { insidePanel, panel } from '../../drawing/panel.js';
import { paragraph } from '../../drawing/words.js';
import type { Glyphs } from '../../terminal/glyphs.js';

const KEYS_WIDTH = 18;
const TWO_COLUMNS = 116;

interface HelpOptions {
  readonly here: readonly Scope[];
  readonly hasMouse: boolean;
  close(): void;
}

export function createHelp(context: Context, { here, hasMouse, close }: HelpOptions): View {
  const rows = () => {
    const { width } = insidePanel(context.canvas);
    return [...helpLines(here, width, context.canvas.glyphs), ...(hasMouse ? mouseLines(width) : [])];
  };
  const scroller = createScroller({
    source: () => ({ first: 0, end: rows().length, rowsOf: () => 1 }),
    height: () => insidePanel(context.canvas).height,
    changed: context.changed,
    start: { item: 0, row: 0 },
  });
  return {
    scopes: ['reader'],
    commands: () => ({ ...scroller.commands, leaveReader: close }),
    enter: () => {},
    leave: () => {},
    draw: canvas => drawHelp(rows(), scroller.rows(), canvas),
    foot: () => line('Shortcuts are off while typing.', quiet),
  };
}

function drawHelp(lines: readonly Line[], places: readonly { item: number }[], canvas: Canvas) {
  const content = places.map(({ item }) => lines[item] ?? []);
  return { lines: panel(content, { ...canvas, title: 'Keys' }) };
}

/** The current view's scopes come first. */
export function helpLines(here: readonly Scope[], width: number, glyphs: Glyphs): Line[] {
  const scopes = [...here, ...(Object.keys(SCOPES) as Scope[]).filter(scope => !here.includes(scope))];
  if (width < TWO_COLUMNS) return scopes.flatMap(scope => groupLines(scope, width, glyphs));
  const half = Math.floor(width / 2);
  const groups = scopes.map(scope => groupLines(scope, half, glyphs));
  const total = groups.flat().length;
  let left: Line[] = [];
  let right: Line[] = [];
  for (const group of groups) {
    if (left.length < total / 2) left = [...left, ...group];
    else right = [...right, ...group];
  }
  return beside(left, half, right);
}

function groupLines(scope: Scope, width: number, glyphs: Glyphs): Line[] {
  const rows = BINDINGS.filter(binding => binding.scope === scope).flatMap(({ keys, does }) =>
    entryLines(keys.map(key => keyLabel(key, glyphs)).join(' '), does, width),
  );
  return [line(SCOPES[scope], { bold: true }), ...rows, []];
}

const MOUSE = [
  ['Wheel', 'Scroll, or move through the list'],
  ['Click', 'Select a row, or open it if it is selected; tabs and hints, too'],
  ['Shift-drag', 'Select text, in most terminals; svc dev --no-mouse does without'],
] as const;

function mouseLines(width: number): Line[] {
  return [
    line('Mouse', { bold: true }),
    ...MOUSE.flatMap(([what, does]) => entryLines(what, does, width)),
    [],
  ];
}

function entryLines(keys: string, does: string, width: number): Line[] {
  const pressed = span(`  ${keys}`.padEnd(KEYS_WIDTH), { tone: 'accent' });
  const said = span(` ${does}`);
  if (lineWidth([pressed, said]) <= width) return [[pressed, said]];
  // Text that does not fit beside its keys goes below them.
  return [[pressed], ...paragraph(does, width - 4).map(row => [span('    '), ...row])];
}

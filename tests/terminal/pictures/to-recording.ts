// Screens of an emulator, one after the other, as an animated SVG: no script, so that it moves where it is only an image. Each
// row is drawn once however many screens have it, and it follows the theme of the reader.
import type { Cell } from '../support/emulator.js';

export interface RecordedScreen {
  readonly rows: readonly (readonly Cell[])[];
  /** How long it stands. */
  readonly ms: number;
}

const CELL = { width: 8.4, height: 17 };
const MARGIN = 10;
const FONT = "14px ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";
/** Of the terminal's own color and of the sixteen; the seventh and the last are its own, too. */
export const THEMES = {
  light: {
    paper: '#ffffff',
    edge: '#d4d4d8',
    ink: '#27272a',
    colors: ['#27272a', '#b91c1c', '#15803d', '#a16207', '#1d4ed8', '#be185d', '#0f766e', '#52525b'],
    bright: ['#71717a', '#dc2626', '#16a34a', '#ca8a04', '#2563eb', '#db2777', '#0d9488', '#18181b'],
  },
  dark: {
    paper: '#18181b',
    edge: '#3f3f46',
    ink: '#d4d4d8',
    colors: ['#3f3f46', '#f87171', '#4ade80', '#fbbf24', '#60a5fa', '#f472b6', '#2dd4bf', '#e4e4e7'],
    bright: ['#71717a', '#fca5a5', '#86efac', '#fde047', '#7dafff', '#f9a8d4', '#5eead4', '#ffffff'],
  },
} as const;

export function toRecording(screens: readonly RecordedScreen[], title: string): string {
  const columns = Math.max(...screens.flatMap(({ rows }) => rows.map(widthOf)));
  const lines = Math.max(...screens.map(({ rows }) => rows.length));
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
  const height = Math.ceil(lines * CELL.height + 2 * MARGIN);
  const known = new Map<string, string>();
  const frames = screens.map(({ rows }, index) => {
    const uses = rows.flatMap((row, line) => useRow(row, line, known));
    return `<g transform="translate(${index * width})">${uses.join('')}</g>`;
  });
  const total = screens.reduce((sum, { ms }) => sum + ms, 0);
  const drawn = [...known].map(([row, id]) => `<g id="${id}">${row}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escapeXml(title)}</title>
<style>
svg{font:${FONT};white-space:pre}
${themeRules('light')}
@media(prefers-color-scheme:dark){${themeRules('dark')}}
.b{font-weight:bold}.d{opacity:.6}.s{text-decoration:line-through}
.film{animation:film ${total}ms steps(1,end) infinite}
@keyframes film{${keyframes(screens, width, total)}}
@media(prefers-reduced-motion:reduce){.film{animation:none;transform:translateX(${-(screens.length - 1) * width}px)}}
</style>
<defs>${drawn.join('\n')}</defs>
<rect class="paper" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
<g class="film">
${frames.join('\n')}
</g>
</svg>
`;
}

function themeRules(theme: keyof typeof THEMES): string {
  const { paper, edge, ink, colors, bright } = THEMES[theme];
  const rules = [...colors, ...bright].map((color, index) => `.c${index}{fill:${color}}`);
  return `.paper,.i{fill:${paper}}.paper{stroke:${edge}}.own{fill:${ink}}${rules.join('')}`;
}

function keyframes(screens: readonly RecordedScreen[], width: number, total: number): string {
  let at = 0;
  return screens
    .map(({ ms }, index) => {
      const percent = Number(((at / total) * 100).toFixed(3));
      at += ms;
      return `${percent}%{transform:translateX(${-index * width}px)}`;
    })
    .join('');
}

export function widthOf(row: readonly Cell[]): number {
  return row.reduce((sum, { width }) => sum + width, 0);
}

/** A blank row needs nothing. */
function useRow(row: readonly Cell[], line: number, known: Map<string, string>): string[] {
  const drawn = drawRow(row);
  if (drawn === '') return [];
  const id = known.get(drawn) ?? `r${known.size}`;
  known.set(drawn, id);
  return [`<use href="#${id}" y="${round(MARGIN + line * CELL.height)}"/>`];
}

/** Runs of one style; what a font might draw wider is stretched to its cells. */
function drawRow(row: readonly Cell[]): string {
  let column = 0;
  let out = '';
  for (let index = 0; index < row.length; ) {
    const style = styleOf(row[index]!);
    const start = index;
    let columns = 0;
    while (index < row.length && styleOf(row[index]!) === style) columns += row[index++]!.width;
    const text = row
      .slice(start, index)
      .map(cell => cell.text)
      .join('');
    out += drawRun(row[start]!, text, column, columns);
    column += columns;
  }
  return out;
}

function drawRun(
  { color, isBold, isDim, isInverse, isStruck }: Cell,
  text: string,
  at: number,
  columns: number,
): string {
  const own = color === null ? 'own' : `c${color}`;
  const left = round(MARGIN + at * CELL.width);
  const width = round(columns * CELL.width);
  const ground = isInverse
    ? `<rect class="${own}" x="${left}" width="${width}" height="${CELL.height}"/>`
    : '';
  const shown = text.trimEnd();
  if (shown === '') return ground;
  const classes = [isInverse ? 'i' : own, isBold ? 'b' : '', isDim ? 'd' : '', isStruck ? 's' : ''];
  const name = classes.filter(Boolean).join(' ');
  const room = round((columns - (text.length - shown.length)) * CELL.width);
  const fit = `textLength="${room}" lengthAdjust="spacingAndGlyphs"`;
  return `${ground}<text class="${name}" x="${left}" y="13" ${fit} xml:space="preserve">${escapeXml(shown)}</text>`;
}

function styleOf({ color, isBold, isDim, isInverse, isStruck }: Cell): string {
  return [color, isBold, isDim, isInverse, isStruck].join();
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`);
}

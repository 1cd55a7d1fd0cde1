// Measured growth as Markdown tables and as a picture.
import type { MeasuredSeries } from './series.js';

const number = (value: number) => Math.round(value).toLocaleString('en');

export function renderTables(all: readonly MeasuredSeries[]): string {
  return all
    .map(({ title, points }) => {
      const [, what = title] = title.split(': ');
      const rows = points.map(
        ({ label, tokensPerSecond, peakMB }) =>
          `| ${label} | ${number(tokensPerSecond)} | ${number(peakMB)} |`,
      );
      return [`### ${title}`, '', `| ${what} | tokens/s | peak MB |`, '|---:|---:|---:|', ...rows].join('\n');
    })
    .join('\n\n');
}

/** Replaces what lies between two marks, each on a line of its own. */
export function replaceBetween(text: string, mark: string, content: string): string {
  const [open, close] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
  const [from, to] = [text.indexOf(open), text.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`The document has no ${open} … ${close}.`);
  return `${text.slice(0, from + open.length)}\n${content}\n${text.slice(to)}`;
}

const [WIDTH, HEIGHT] = [440, 280];
const [LEFT, RIGHT] = [24, 24];
/** Each line has a band of its own, on a scale from 0. */
const BANDS = [
  { key: 'tokensPerSecond', name: 'tokens/s', color: '#2f81f7', top: 60, bottom: 140 },
  { key: 'peakMB', name: 'peak MB', color: '#bf8700', top: 174, bottom: 244 },
] as const;
const TEXT = '#7d8590';

/** Two panels in a row, each with the speed above the memory. */
export function drawPicture(all: readonly MeasuredSeries[]): string {
  const rows = Math.ceil(all.length / 2);
  const panels = all.map((series, i) => {
    const at = `translate(${(i % 2) * WIDTH} ${Math.floor(i / 2) * HEIGHT})`;
    return `<g transform="${at}">${drawPanel(series)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * WIDTH} ${rows * HEIGHT}" font-family="sans-serif" font-size="11">`,
    '<title>How speed and memory grow</title>',
    ...panels,
    '</svg>',
    '',
  ].join('\n');
}

function drawPanel({ title, points }: MeasuredSeries): string {
  const x = (i: number) => LEFT + ((WIDTH - LEFT - RIGHT) * (i + 0.5)) / points.length;
  const lines = BANDS.map(({ key, color, top, bottom }) => {
    const highest = Math.max(...points.map(point => point[key]));
    const places = points.map(
      (point, i) => [x(i), bottom - ((bottom - top) * point[key]) / highest] as const,
    );
    const path = places.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ');
    const labels = places.map(([px, py], i) => {
      const dot = `<circle cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="3" fill="${color}"/>`;
      return `${dot}${textAt(px, py - 8, number(points[i]![key]), color)}`;
    });
    return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>${labels.join('')}`;
  });
  const legend = BANDS.map(({ name, color }, i) => textAt(WIDTH - RIGHT - 110 + i * 70, 22, name, color));
  const ticks = points.map(({ label }, i) => textAt(x(i), HEIGHT - 14, label, TEXT));
  const name = `<text x="${LEFT}" y="22" font-size="13" fill="${TEXT}">${title}</text>`;
  return [name, ...legend, ...lines, ...ticks].join('');
}

function textAt(x: number, y: number, text: string, color: string): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" fill="${color}" text-anchor="middle">${text}</text>`;
}

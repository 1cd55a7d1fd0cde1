// A job's page as lines: its status, its problems, and its parts as laid out.
import {
  formatCount,
  LOG_LIMIT,
  plural,
  type RowPlace,
  shortId,
  shownError,
  shownStatus,
} from '../../../../lib/console/index.js';
import type { Canvas, Drawn, Size } from '../../drawing/canvas.js';
import { beside, centered, type Line, line, lineWidth, quiet, span, spread } from '../../drawing/line.js';
import { insidePanel, panel } from '../../drawing/panel.js';
import { problemRows, statusSpan } from '../../drawing/words.js';
import { chartContent, chartTitle } from './chart-panel.js';
import { cardLines, factLines, factsAndSettings, progressLines, statisticsLines } from './facts-drawing.js';
import { layOutJob, type Page, type Part, type Placed } from './layout.js';
import { logLines, shownLog } from './log-drawing.js';
import type { JobPageState } from './state.js';

const TITLES: Readonly<Record<Exclude<Part, 'chart'>, string>> = {
  facts: 'Metadata',
  log: 'Event log',
  figures: 'Metadata',
  training: 'Statistics',
  evaluation: 'Statistics',
};

export function drawJob(state: JobPageState, rows: readonly RowPlace[], canvas: Canvas): Drawn {
  const content = shownPage(state, canvas).flatMap(parts =>
    parts
      .map(placed => drawPart(placed, state, rows, canvas))
      .reduce((left, right, index) => beside(left, parts[index - 1]!.width, right)),
  );
  return { lines: [...headLines(state, canvas), ...content] };
}

/** All pages for this canvas. */
export function pagesOf(state: JobPageState, canvas: Canvas): readonly Page[] {
  return layOutJob(canvas.width, canvas.height - headLines(state, canvas).length, state.isAdvanced);
}

function shownPage(state: JobPageState, canvas: Canvas): Page {
  const pages = pagesOf(state, canvas);
  return pages[state.page % pages.length]!;
}

/** The space inside a part's panel; one row if the current page does not have that part. */
export function roomOf(part: Part, state: JobPageState, canvas: Canvas): Size {
  const placed = shownPage(state, canvas)
    .flat()
    .find(candidate => candidate.part === part);
  return placed ? insidePanel(placed) : { width: canvas.width - 4, height: 1 };
}

export function jobStatus(state: JobPageState, isFollowing: boolean): Line {
  const { length } = state.job.log;
  const shown = shownLog(state).length;
  const all = length === LOG_LIMIT ? `the latest ${plural(length, 'event')}` : plural(length, 'event');
  const { type, search } = state.logChoices;
  const only = [type, search.trim() === '' ? null : `“${search.trim()}”`].filter(Boolean).join(', ');
  const kept = only === '' ? all : `${only}: ${formatCount(shown)} of ${all}`;
  return line(isFollowing ? kept : `${kept} · scrolled up; press G to follow`, quiet);
}

function headLines(state: JobPageState, { width, glyphs }: Canvas): Line[] {
  const status = shownStatus(state.job);
  const name = state.job.polled?.name ?? '';
  const left = [
    ...(status ? [span(' '), statusSpan(status, glyphs), span('  ')] : [span(' ')]),
    span(name, { bold: true }),
  ];
  return [
    spread(
      left,
      line(`${lineWidth(left) + state.id.length + 2 <= width ? state.id : shortId(state.id)} `, quiet),
      width,
    ),
    ...problemRows(state.problem, { width, glyphs }),
    ...(state.job.interrupted ? [line(' Event stream interrupted.', { tone: 'warning', bold: true })] : []),
    ...problemRows(shownError(state.job), { width, glyphs }, 4),
  ];
}

function drawPart(
  placed: Placed,
  state: JobPageState,
  rows: readonly RowPlace[],
  { glyphs }: Canvas,
): Line[] {
  const { part, width, height } = placed;
  const room = insidePanel(placed);
  const title = part === 'chart' ? chartTitle(state) : TITLES[part];
  return panel(CONTENT[part](state, room, rows, glyphs), { title, width, height, glyphs });
}

type Content = (
  state: JobPageState,
  room: Size,
  rows: readonly RowPlace[],
  glyphs: Canvas['glyphs'],
) => Line[];

const CONTENT: Readonly<Record<Part, Content>> = {
  chart: (state, room, _rows, glyphs) => chartContent(state, room, glyphs),
  facts: (state, { width, height }, _rows, glyphs) => [
    ...progressLines(state, width, glyphs),
    ...factsAndSettings(state, width, height - progressLines(state, width, glyphs).length),
  ],
  figures: (state, { width, height }) => {
    const statistics = statisticsLines(state, width);
    // Statistics are shown on request, so the last facts give way; the header has the ID, too.
    const facts = factLines(state, width).slice(0, Math.max(0, height - statistics.length - 1));
    return [...facts, [], ...statistics];
  },
  training: state => cardLines(state, 'training'),
  evaluation: state => cardLines(state, 'evaluation'),
  log: (state, { width, height }, rows) => {
    const log = shownLog(state);
    if (log.length > 0) return logLines(log, rows, width, state.logChoices);
    const text = state.job.log.length > 0 ? 'No matches' : 'No events yet';
    return centered([line(text, quiet)], width, height);
  },
};

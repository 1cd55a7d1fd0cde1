// A job's page as lines: its status, its problems, and its parts as laid out.
import {
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
import { chartContent } from './chart-panel.js';
import { cardLines, factLines, statisticsLines } from './facts-drawing.js';
import { layOutJob, type Page, type Part, type Placed } from './layout.js';
import { logLines } from './log-drawing.js';
import type { JobPageState } from './state.js';

const TITLES: Readonly<Record<Part, string>> = {
  chart: 'Loss',
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

export function jobStatus({ job }: JobPageState, isFollowing: boolean): Line {
  const { length } = job.log;
  const kept = length === LOG_LIMIT ? `the latest ${plural(length, 'event')}` : plural(length, 'event');
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
  return panel(CONTENT[part](state, room, rows, glyphs), { title: TITLES[part], width, height, glyphs });
}

type Content = (
  state: JobPageState,
  room: Size,
  rows: readonly RowPlace[],
  glyphs: Canvas['glyphs'],
) => Line[];

const CONTENT: Readonly<Record<Part, Content>> = {
  chart: (state, room, _rows, glyphs) => chartContent(state, room, glyphs),
  facts: (state, room) => factLines(state, room.width),
  figures: (state, { width, height }) => {
    const statistics = statisticsLines(state, width);
    // Statistics are shown on request, so the last facts give way; the header has the ID, too.
    const facts = factLines(state, width).slice(0, Math.max(0, height - statistics.length - 1));
    return [...facts, [], ...statistics];
  },
  training: state => cardLines(state, 'training'),
  evaluation: state => cardLines(state, 'evaluation'),
  log: ({ job: { log } }, { width, height }, rows) =>
    log.length > 0 ? logLines(log, rows, width) : centered([line('No events yet', quiet)], width, height),
};

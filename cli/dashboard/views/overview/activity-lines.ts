// The runs under way, the last results and the busiest endpoints, a line each.
import {
  busiestEndpoints,
  hasActivity,
  requestsText,
  resultText,
  sparkLevels,
  underWayText,
} from '../../../../lib/console/index.js';
import type { JobSummary } from '../../../../lib/contract/index.js';
import type { Canvas } from '../../drawing/canvas.js';
import {
  cutLine,
  fitLine,
  type Line,
  lineWidth,
  quiet,
  type Span,
  span,
  spread,
} from '../../drawing/line.js';
import { statusSpan } from '../../drawing/words.js';
import type { Glyphs } from '../../terminal/glyphs.js';
import type { OverviewState } from './state.js';

const MOST_RESULTS = 3;
const MOST_ENDPOINTS = 3;
const STATUS_WIDTH = 11;
const NAME_WIDTH = 24;
const WIDEST_SPARK = 40;
const LEAST_SPARK = 8;

/** As many as fit, those under way first. */
export function activityLines(state: OverviewState, { width, glyphs }: Canvas, most: number): Line[] {
  const { activity } = state;
  if (!activity || !hasActivity(activity)) return [];
  const now = new Date();
  const lines = [
    ...activity.running.map(job =>
      withSpark(jobLine(job, underWayText(job), glyphs), job, state, width - 4, glyphs),
    ),
    ...activity.recent.slice(0, MOST_RESULTS).map(job => jobLine(job, resultText(job, now), glyphs)),
    ...busiestEndpoints(activity, MOST_ENDPOINTS).map(endpoint => [
      ...fitLine([span('endpoint', quiet)], STATUS_WIDTH),
      span('  '),
      ...fitLine([span(endpoint.slug)], NAME_WIDTH),
      span(`  ${requestsText(endpoint)}`, quiet),
    ]),
  ];
  return lines.slice(0, most).map(row => cutLine(row, width - 4));
}

function jobLine(job: JobSummary, text: string, glyphs: Glyphs): Line {
  return [
    ...fitLine([statusSpan(job.status, glyphs)], STATUS_WIDTH),
    span('  '),
    ...fitLine([span(job.name)], NAME_WIDTH),
    span(`  ${text}`, quiet),
  ];
}

/** The losses of the run that is watched, where there is room for them. */
function withSpark(
  row: Line,
  { id }: JobSummary,
  { watched }: OverviewState,
  width: number,
  glyphs: Glyphs,
): Line {
  const room = Math.min(WIDEST_SPARK, width - lineWidth(row) - 2);
  if (watched?.id !== id || room < LEAST_SPARK) return row;
  return spread(row, sparkSpans(watched.job.training, room, glyphs), width);
}

function sparkSpans(series: Parameters<typeof sparkLevels>[0], room: number, { spark }: Glyphs): Span[] {
  const signs = sparkLevels(series, room, spark.length).map(level => spark[level]);
  return [span(signs.join(''), { tone: 'training' })];
}

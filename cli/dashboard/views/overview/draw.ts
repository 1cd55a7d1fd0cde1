// The overview as lines: the trainer, the status of the run, and its output.
import {
  formatLocalTime,
  NO_OUTPUT_TEXT,
  type RowPlace,
  runOutcome,
  START_COMMAND,
  trainerText,
} from '../../../../lib/console/index.js';
import type { Canvas, Drawn, Size } from '../../drawing/canvas.js';
import { centered, type Line, line, lineWidth, quiet, span } from '../../drawing/line.js';
import { outputLines } from '../../drawing/output-text.js';
import { insidePanel, panel } from '../../drawing/panel.js';
import { paragraph, problemLines, waitingLine } from '../../drawing/words.js';
import { activityLines } from './activity-lines.js';
import { isReady, type OverviewState } from './state.js';

/** The space for the output: what the panel above leaves. */
export function outputSize(state: OverviewState, canvas: Canvas): Size {
  return insidePanel({
    width: canvas.width,
    height: canvas.height - trainingLines(state, canvas).length - 2 - activityHeight(state, canvas),
  });
}

export function drawOverview(state: OverviewState, rows: readonly RowPlace[], canvas: Canvas): Drawn {
  const { width, glyphs } = canvas;
  const training = trainingLines(state, canvas);
  const size = outputSize(state, canvas);
  const printed = outputLines(state.output, rows, size.width);
  const content =
    printed.length > 0 ? printed : centered([line(NO_OUTPUT_TEXT, quiet)], size.width, size.height);
  return {
    lines: [
      ...panel(training, { title: 'Training', width, height: training.length + 2, glyphs }),
      ...activityPanel(state, canvas),
      ...panel(content, { title: 'Output', width, height: size.height + 2, glyphs }),
    ],
  };
}

/** At most a third of the view. */
function shownActivity(state: OverviewState, canvas: Canvas): Line[] {
  const room = Math.floor(canvas.height / 3) - 2;
  return room < 1 ? [] : activityLines(state, canvas, room);
}

function activityHeight(state: OverviewState, canvas: Canvas): number {
  const { length } = shownActivity(state, canvas);
  return length === 0 ? 0 : length + 2;
}

function activityPanel(state: OverviewState, canvas: Canvas): Line[] {
  const { width, glyphs } = canvas;
  const height = activityHeight(state, canvas);
  return height === 0 ? [] : panel(shownActivity(state, canvas), { title: 'Project', width, height, glyphs });
}

export function overviewStatus(state: OverviewState, isFollowing: boolean, { glyphs }: Canvas): Line {
  if (isFollowing) return state.busy ? line(`${glyphs.on} following the output`, quiet) : [];
  return line('Scrolled up. Press G to follow.', quiet);
}

function trainingLines(state: OverviewState, canvas: Canvas): Line[] {
  const width = canvas.width - 4;
  const limit = Math.max(1, Math.floor(canvas.height / 2) - 3);
  return [...actionLines(state, width, limit), ...runLines(state, canvas), ...problems(state, canvas, limit)];
}

function problems({ problem }: OverviewState, { width, glyphs }: Canvas, limit: number): Line[] {
  return problemLines(problem, { width: width - 4, glyphs }, limit);
}

function actionLines(state: OverviewState, width: number, limit: number): Line[] {
  const { action, trainer, isSlow } = state;
  if (!action) return isSlow ? waitingLine(true) : [[]];
  if (action.kind !== 'ready') {
    if (action.kind === 'new') return startLines(action.message, width);
    const tone = action.kind === 'broken' ? 'failed' : 'warning';
    return paragraph(action.message, width, { tone }, limit);
  }
  const label = isReady(state)
    ? [span(' R ', { inverse: true }), span(` ${action.label}`, { bold: true })]
    : [span(action.label, quiet)];
  const facts = span(isSlow ? 'reloading the project…' : trainer ? trainerText(trainer) : '', quiet);
  const whole = [...label, span('   '), facts];
  return lineWidth(whole) <= width ? [whole] : [label, [span('   '), facts]];
}

/** How to begin in a folder without a project. */
function startLines(message: string, width: number): Line[] {
  return [
    ...paragraph(message, width),
    [
      span('  '),
      span(START_COMMAND, { bold: true }),
      span('   c copies it. Then press r, and R to train.', quiet),
    ],
  ];
}

function runLines({ status }: OverviewState, { glyphs }: Canvas): Line[] {
  const outcome = runOutcome(status);
  if (!status || !outcome) return [];
  const { startedAt, jobId } = status;
  const since = startedAt === null ? '' : `, started ${formatLocalTime(startedAt)}`;
  const sign = glyphs.status[outcome.state];
  return [
    [span(`${sign} ${outcome.text}`, { tone: outcome.state }), span(since, quiet)],
    ...(jobId === null ? [] : [line(`  job ${jobId}`, quiet)]),
  ];
}

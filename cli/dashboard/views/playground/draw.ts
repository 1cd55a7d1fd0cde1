// The playground as lines: the model, and the conversation or the jobs to choose from.
import { jobLabel, plural, type RowPlace } from '../../../../lib/console/index.js';
import type { Identity } from '../../../../lib/contract/index.js';
import type { Canvas, Drawn, Size } from '../../drawing/canvas.js';
import { centered, cutLine, type Line, line, lineWidth, quiet, type Span, span } from '../../drawing/line.js';
import { listRows } from '../../drawing/list-rows.js';
import { insidePanel, panel } from '../../drawing/panel.js';
import { problemLines, waitingLine } from '../../drawing/words.js';
import { chatLines } from './chat-drawing.js';
import { chosenTarget, lacksJob, offeredJobs, type PlaygroundState } from './state.js';

const HEAD = 1;
export const CHOOSE_JOB = 'Press p to choose a job.';

export function conversationRoom({ width, height }: Canvas): Size {
  return insidePanel({ width, height: height - HEAD });
}

export function drawPlayground(
  state: PlaygroundState,
  identity: Identity | null,
  rows: readonly RowPlace[],
  canvas: Canvas,
): Drawn {
  const { width, height, glyphs } = canvas;
  const room = conversationRoom(canvas);
  const box = { width, height: height - HEAD, glyphs };
  const head = modeLine(state, identity, canvas);
  if (state.picker)
    return { lines: [head, ...panel(pickerLines(state, canvas), { ...box, title: 'Completed jobs' })] };
  const spoken = chatLines(state.chat, rows, room.width, glyphs);
  const content = spoken.length > 0 ? spoken : centered(invitation(state, identity), room.width, room.height);
  return { lines: [head, ...panel(content, { ...box, title: 'Conversation' })] };
}

/** The two modes, with the active one marked. */
function modeLine(state: PlaygroundState, identity: Identity | null, { width, glyphs }: Canvas): Line {
  const baseModel = identity ? `: ${identity.baseModel}` : '';
  const adapter = `: ${chosenTarget({ ...state, mode: 'adapter' }, identity)?.name ?? 'no job selected'}`;
  const isBase = state.mode === 'base';
  const lineOf = (base: string, adapter: string) => [
    span(' '),
    ...option(`Base model${base}`, isBase, glyphs),
    span('    '),
    ...option(`Adapter${adapter}`, !isBase, glyphs),
  ];
  // The name of the inactive mode's model is dropped first.
  const forms = [lineOf(baseModel, adapter), isBase ? lineOf(baseModel, '') : lineOf('', adapter)];
  const fitting = forms.find(form => lineWidth(form) < width);
  return fitting ?? cutLine(isBase ? lineOf('', '') : forms[1]!, width - 1);
}

function option(text: string, isOn: boolean, { on, off }: Canvas['glyphs']): Span[] {
  return isOn
    ? [span(`${on} `, { tone: 'accent' }), span(text, { bold: true })]
    : [span(`${off} ${text}`, quiet)];
}

function invitation(state: PlaygroundState, identity: Identity | null): Line[] {
  const target = chosenTarget(state, identity);
  if (target) return [line(`Press Enter to write to ${target.name}.`, quiet)];
  if (state.mode === 'base') return [line('The base model is not known yet.', quiet)];
  return [line(CHOOSE_JOB, quiet)];
}

function pickerLines(state: PlaygroundState, canvas: Canvas): Line[] {
  const { width, height } = conversationRoom(canvas);
  const jobs = offeredJobs(state);
  const problem = problemLines(state.jobs.problem, { width, glyphs: canvas.glyphs });
  if (jobs.length === 0) {
    const words = state.jobs.value
      ? [line('No completed jobs yet', { bold: true }), line('Press Esc, then R, to run training.', quiet)]
      : waitingLine(state.jobs.isSlow);
    return [...problem, ...centered(words, width, height - problem.length)];
  }
  const { index, top } = state.picker!;
  return listRows(jobs, { chosen: index, top, width, inSight: height }, job => [line(jobLabel(job))]);
}

export function playgroundStatus(state: PlaygroundState, isFollowing: boolean, isPrompting: boolean): Line {
  if (state.picker)
    return state.jobs.value ? line(plural(offeredJobs(state).length, 'completed job'), quiet) : [];
  if (!isFollowing) return line('Scrolled up. Press G to follow.', quiet);
  if (isPrompting) return [];
  return line(lacksJob(state) ? CHOOSE_JOB : 'Press Enter to write a message.', quiet);
}

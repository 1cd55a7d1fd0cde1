// The playground as lines: the model, and the conversation or the jobs to choose from.
import { type ChatView, jobLabel, plural, type RowPlace } from '../../../../lib/console/index.js';
import type { Identity } from '../../../../lib/contract/index.js';
import type { Canvas, Drawn, Size } from '../../drawing/canvas.js';
import {
  beside,
  centered,
  cutLine,
  type Line,
  line,
  lineWidth,
  quiet,
  type Span,
  span,
} from '../../drawing/line.js';
import { listRows } from '../../drawing/list-rows.js';
import { insidePanel, panel } from '../../drawing/panel.js';
import { problemLines, waitingLine } from '../../drawing/words.js';
import { chatLines } from './chat-drawing.js';
import { besideTarget, chosenTarget, lacksJob, offeredJobs, type PlaygroundState } from './state.js';

const HEAD = 1;
/** From here on two conversations fit side by side. */
const WIDE = 100;
export const CHOOSE_JOB = 'Press p to choose a job.';

/** Of the jobs to choose from, or of one of the conversations. */
export function conversationRoom({ width, height }: Canvas): Size {
  return insidePanel({ width, height: height - HEAD });
}

/** Where each conversation is: side by side where there is room, otherwise one above the other. */
export function chatRooms(
  state: PlaygroundState,
  canvas: Canvas,
): { first: Size; second: Size; isBeside: boolean } {
  const { width } = canvas;
  const height = canvas.height - HEAD;
  const isBeside = width >= WIDE;
  if (!state.beside)
    return { first: insidePanel({ width, height }), second: { width: 1, height: 1 }, isBeside };
  const [half, upper] = [Math.floor(width / 2), Math.ceil(height / 2)];
  return isBeside
    ? {
        isBeside,
        first: insidePanel({ width: half, height }),
        second: insidePanel({ width: width - half, height }),
      }
    : {
        isBeside,
        first: insidePanel({ width, height: upper }),
        second: insidePanel({ width, height: height - upper }),
      };
}

interface ChatPlaces {
  readonly first: readonly RowPlace[];
  readonly second: readonly RowPlace[];
}

export function drawPlayground(
  state: PlaygroundState,
  identity: Identity | null,
  places: ChatPlaces,
  canvas: Canvas,
): Drawn {
  const { width, height, glyphs } = canvas;
  const head = modeLine(state, identity, canvas);
  if (state.picker) {
    const box = { width, height: height - HEAD, glyphs, title: 'Completed jobs' };
    return { lines: [head, ...panel(pickerLines(state, canvas), box)] };
  }
  const rooms = chatRooms(state, canvas);
  const first = chatPanel(
    state.chat,
    places.first,
    rooms.first,
    invitation(state, identity),
    // Beside another one, it is told by its model.
    (state.beside && chosenTarget(state, identity)?.name) ?? 'Conversation',
    glyphs,
  );
  if (!state.beside) return { lines: [head, ...first] };
  const target = besideTarget(state, identity);
  const second = chatPanel(
    state.beside.chat,
    places.second,
    rooms.second,
    [line('Press B for another second model.', quiet)],
    target?.name ?? 'Second model',
    glyphs,
  );
  return {
    lines: [head, ...(rooms.isBeside ? beside(first, Math.floor(width / 2), second) : [...first, ...second])],
  };
}

function chatPanel(
  chat: ChatView,
  places: readonly RowPlace[],
  room: Size,
  invited: readonly Line[],
  title: string,
  glyphs: Canvas['glyphs'],
): Line[] {
  const spoken = chatLines(chat, places, room.width, glyphs);
  const content = spoken.length > 0 ? spoken : centered(invited, room.width, room.height);
  return panel(content, { width: room.width + 4, height: room.height + 2, glyphs, title });
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

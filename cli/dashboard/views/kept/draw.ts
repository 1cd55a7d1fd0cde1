// Kept requests as lines: what was asked and answered, the marks, and the selected one in full below.
import {
  keptFigures,
  keptFilterText,
  keptTurns,
  noKeptText,
  skippedText,
} from '../../../../lib/console/index.js';
import type { KeptRequest } from '../../../../lib/contract/index.js';
import type { Canvas, Drawn } from '../../drawing/canvas.js';
import {
  centered,
  fitHeight,
  fitLine,
  type Line,
  line,
  quiet,
  type Style,
  span,
  spread,
} from '../../drawing/line.js';
import { listRows } from '../../drawing/list-rows.js';
import { paragraph, problemRows, waitingLine } from '../../drawing/words.js';
import { chosenKept, type KeptState, keptIn } from './state.js';

const MARK_WIDTH = 11;
/** The title, a blank line and the column titles. */
const HEAD_HEIGHT = 3;
/** What the list leaves to the selected request. */
const DETAIL_SHARE = 0.5;

const MARK_STYLES: Readonly<Record<string, Style>> = {
  good: { tone: 'completed' },
  bad: { tone: 'failed' },
  corrected: { tone: 'warning' },
};

function detailHeight({ height }: Canvas): number {
  return Math.max(4, Math.floor((height - HEAD_HEIGHT) * DETAIL_SHARE));
}

export function listHeight({ fetched }: KeptState, canvas: Canvas): number {
  const problem = problemRows(fetched.problem, canvas).length;
  return Math.max(1, canvas.height - HEAD_HEIGHT - problem - detailHeight(canvas));
}

export function drawKept(state: KeptState, canvas: Canvas): Drawn {
  const { fetched, filter } = state;
  const { width, height } = canvas;
  const title = [span(' '), span('Kept requests', { bold: true })];
  const shown = fetched.value ? `${keptFilterText(filter, fetched.value.counts)} ` : '';
  const head = [spread(title, line(shown, quiet), width), ...problemRows(fetched.problem, canvas), []];
  const requests = keptIn(state);
  if (requests.length === 0) {
    const text = fetched.value
      ? [line(noKeptText(filter), { bold: true })]
      : waitingLine(fetched.isSlow && fetched.problem === null);
    return { lines: [...head, ...centered(text, width, Math.max(0, height - head.length))] };
  }
  const room = listHeight(state, canvas);
  const chosen = chosenKept(state);
  const lines = listRows(requests, { chosen, top: state.top, width, inSight: room }, request => [
    requestLine(request, width),
  ]);
  return {
    lines: [
      ...head,
      titleLine(width),
      ...fitHeight(lines, room),
      ...fitHeight(detailLines(requests[chosen]!, canvas), detailHeight(canvas)),
    ],
  };
}

export function keptStatus({ fetched }: KeptState): Line {
  return line(skippedText(fetched.value?.skipped ?? 0) ?? '', quiet);
}

const askedWidth = (width: number) => Math.floor((width - MARK_WIDTH - 2) * 0.45);

function titleLine(width: number): Line {
  const titles = [' Mark'.padEnd(MARK_WIDTH), 'Asked'.padEnd(askedWidth(width) + 2), 'Answer'];
  return fitLine(
    titles.map(title => span(title, quiet)),
    width,
  );
}

function requestLine(request: KeptRequest, width: number): Line {
  const { mark, asked, answer, correction, outcome } = keptFigures(request);
  const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
  return [
    ...fitLine([span(` ${mark}`, MARK_STYLES[mark] ?? quiet)], MARK_WIDTH),
    ...fitLine([span(oneLine(asked), quiet)], askedWidth(width)),
    span('  '),
    ...(outcome && correction === null ? [span(`${outcome}  `, { tone: 'warning' as const })] : []),
    span(oneLine(correction ?? answer)),
  ];
}

/** The end of the conversation is what counts where not all of it fits. */
function detailLines(request: KeptRequest, canvas: Canvas): Line[] {
  const { answer, correction, outcome, details } = keptFigures(request);
  const room = detailHeight(canvas) - 2;
  const said = [
    ...keptTurns(request).map(({ role, text }) => ({ role, text, style: quiet })),
    {
      role: outcome ? `answer, ${outcome}` : 'answer',
      text: answer,
      style: correction === null ? {} : quiet,
    },
    ...(correction === null ? [] : [{ role: 'corrected', text: correction, style: {} }]),
  ];
  const lines = said.flatMap(({ role, text, style }) =>
    paragraph(`${role}: ${text}`, canvas.width - 2, style).map(part => [span(' '), ...part]),
  );
  return [[], [span(' '), span(details, quiet)], ...lines.slice(-Math.max(1, room))];
}

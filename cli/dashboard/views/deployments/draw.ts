// The endpoints list as lines: one to three per endpoint, depending on the width.
import {
  deploymentHost,
  enabledLabel,
  plural,
  targetLabel,
  troubleLabel,
} from '../../../../lib/console/index.js';
import type { Deployment } from '../../../../lib/contract/index.js';
import type { Canvas, Drawn } from '../../drawing/canvas.js';
import { centered, fitLine, type Line, line, quiet, span } from '../../drawing/line.js';
import { listRows } from '../../drawing/list-rows.js';
import { enabledSpan, problemRows, waitingLine } from '../../drawing/words.js';
import { chosenRow, type EndpointsState } from './state.js';

const BADGE_WIDTH = 12;
const STATE_WIDTH = 27;
const TARGET_WIDTH = 36;
const AUTH_WIDTH = 15;
const WIDE = 120;
const USUAL = 60;

/** How many endpoints fit on the screen. */
export function endpointsInSight({ fetched }: EndpointsState, canvas: Canvas): number {
  const height = canvas.height - 2 - problemRows(fetched.problem, canvas).length;
  return Math.max(1, Math.floor(height / rowsEach(canvas)));
}

export function drawDeployments(state: EndpointsState, canvas: Canvas): Drawn {
  const { fetched } = state;
  const { width, height } = canvas;
  const head: Line[] = [titleLine(canvas), ...problemRows(fetched.problem, canvas)];
  if (!fetched.value || fetched.value.length === 0) {
    const words = fetched.value ? EMPTY : waitingLine(fetched.isSlow && fetched.problem === null);
    return { lines: [...head, ...centered(words, width, height - head.length)] };
  }
  const inSight = endpointsInSight(state, canvas);
  const place = { chosen: chosenRow(state), top: state.top, width, inSight };
  const rows = listRows(fetched.value, place, deployment => deploymentLines(deployment, canvas));
  return { lines: [...head, ...rows] };
}

const EMPTY: Line[] = [
  line('No endpoints yet', { bold: true }),
  line('Press n to publish an adapter or the base model at a URL.', quiet),
];

export function endpointsStatus({ form, fetched }: EndpointsState): Line {
  return form || !fetched.value ? [] : line(plural(fetched.value.length, 'endpoint'), quiet);
}

function rowsEach({ width }: Canvas): 1 | 2 | 3 {
  if (width >= WIDE) return 1;
  return width >= USUAL ? 2 : 3;
}

function titleLine({ width }: Canvas): Line {
  const hostWidth = width - STATE_WIDTH - TARGET_WIDTH - AUTH_WIDTH - 1;
  const titles: [string, number][] =
    width >= WIDE
      ? [
          ['Endpoint', hostWidth],
          ['Target', TARGET_WIDTH],
          ['Auth mode', AUTH_WIDTH],
          ['State', STATE_WIDTH],
        ]
      : [['Endpoint, target and auth mode', width - 2]];
  return [span(' '), ...titles.flatMap(([title, room]) => fitLine(line(title, quiet), room))];
}

function deploymentLines(deployment: Deployment, canvas: Canvas): Line[] {
  const { width, glyphs } = canvas;
  const badge = enabledSpan(deployment.enabled, enabledLabel(deployment), glyphs);
  const trouble = troubleLabel(deployment);
  const mark = trouble ? [span(`  ${glyphs.status.failed} ${trouble}`, { tone: 'failed' })] : [];
  const host = span(deploymentHost(deployment), { bold: true });
  const target = targetLabel(deployment.target);
  if (rowsEach(canvas) === 3) {
    const below = [[span(target)], [span(deployment.authMode, quiet), ...mark]];
    return [[span(' '), badge, span('  '), host], ...below.map(row => [span('   '), ...row])];
  }
  if (rowsEach(canvas) === 2) {
    return [
      [span(' '), ...fitLine([badge], BADGE_WIDTH), host],
      [span(' '.repeat(BADGE_WIDTH + 1)), span(target), span(`   ${deployment.authMode}`, quiet), ...mark],
    ];
  }
  const hostWidth = width - STATE_WIDTH - TARGET_WIDTH - AUTH_WIDTH - 1;
  return [
    [
      span(' '),
      ...fitLine([host], hostWidth - 2),
      span('  '),
      ...fitLine([span(target)], TARGET_WIDTH),
      ...fitLine([span(deployment.authMode)], AUTH_WIDTH),
      badge,
      ...mark,
    ],
  ];
}

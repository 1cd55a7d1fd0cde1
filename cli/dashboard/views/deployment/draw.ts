// An endpoint's page as lines: its URL, settings, keys and a code sample.
import {
  breakToWidth,
  deploymentHost,
  enabledLabel,
  keepingText,
  LANGUAGES,
  OPERATIONS,
  offerRows,
  operationUrl,
  quickStart,
  targetLabel,
} from '../../../../lib/console/index.js';
import type { Deployment, Key } from '../../../../lib/contract/index.js';
import type { Canvas, Drawn } from '../../drawing/canvas.js';
import {
  beside,
  centered,
  fitLine,
  type Line,
  line,
  quiet,
  type Span,
  type Style,
  span,
} from '../../drawing/line.js';
import { listRows } from '../../drawing/list-rows.js';
import { insidePanel, panel } from '../../drawing/panel.js';
import { enabledSpan, paragraph, problemRows, waitingLine } from '../../drawing/words.js';
import { chosenRow, type DeploymentState } from './state.js';

const WIDE = 110;
const LABEL_WIDTH = 12;
const KEY_LABEL_WIDTH = 30;
const KEY_PREFIX_WIDTH = 15;
const LEAST_LOWER = 4;

/** In the order of their pages. */
const PARTS = ['keys', 'sample'] as const;
export type Part = (typeof PARTS)[number];
export const PAGES = PARTS.length;

/** Whether keys and quick start fit side by side. */
export function isWideDeployment({ width }: Canvas): boolean {
  return width >= WIDE;
}

/** Whether a part is on the current page; a wide page has all of them. */
export function isShown(part: Part, { page }: DeploymentState, canvas: Canvas): boolean {
  return isWideDeployment(canvas) || PARTS[page % PAGES] === part;
}

export function drawDeployment(state: DeploymentState, canvas: Canvas): Drawn {
  const { width, height } = canvas;
  const deployment = state.deployment.value;
  const problem =
    state.problem ?? state.deployment.problem ?? state.keys.problem ?? deployment?.problem ?? null;
  const problems = problemRows(problem, canvas);
  if (!deployment) {
    const words = waitingLine(state.deployment.isSlow && problem === null);
    return { lines: [...problems, ...centered(words, width, height - problems.length)] };
  }
  const top = [...problems, ...calloutLines(state, canvas), ...settingLines(deployment, width), []];
  const room = { ...canvas, height: Math.max(0, height - top.length) };
  return { lines: room.height < LEAST_LOWER ? top : [...top, ...lowerPart(state, deployment, room)] };
}

function lowerPart(state: DeploymentState, deployment: Deployment, canvas: Canvas): Line[] {
  if (!isShown('sample', state, canvas)) return keysPanel(state, canvas);
  if (!isShown('keys', state, canvas)) return samplePanel(state, deployment, canvas);
  const left = Math.floor((canvas.width * 2) / 5);
  return beside(
    keysPanel(state, { ...canvas, width: left }),
    left,
    samplePanel(state, deployment, { ...canvas, width: canvas.width - left }),
  );
}

/** The only time a key is shown. */
function calloutLines({ issued }: DeploymentState, { width, glyphs }: Canvas): Line[] {
  if (!issued) return [];
  const room = width - 4;
  const content = [
    ...breakToWidth(issued.plaintext, room).map(row => line(row, { bold: true })),
    ...paragraph('Press c to copy it, u to copy it as cURL. It will not be shown again.', room, {
      tone: 'warning',
    }),
  ];
  const title = `Key ${issued.label}`;
  return panel(content, { title, width, height: content.length + 2, glyphs, edge: { tone: 'warning' } });
}

function settingLines(deployment: Deployment, width: number): Line[] {
  const { enabled, authMode, target } = deployment;
  const note = authMode === 'none' ? 'anyone with the URL can call it' : 'callers need a key';
  const wrapped = (label: string, text: string, style: Style = {}) =>
    paragraph(text, width - LABEL_WIDTH - 1, style, 2).map((row, index) =>
      setting(index === 0 ? label : '', row),
    );
  return [
    ...wrapped('URL', operationUrl(deployment), { bold: true }),
    setting('Target', line(targetLabel(target))),
    setting('State', [
      span(enabledLabel(deployment), { tone: enabled ? 'completed' : 'cancelled' }),
      span(enabled ? '   e to disable' : '   calls get 404; e to enable', quiet),
    ]),
    setting('Auth mode', [span(authMode), span(`   ${note}; m to change`, quiet)]),
    ...(keepingText(deployment) ? wrapped('Requests', `${keepingText(deployment)} w to see them`) : []),
    ...offerRows(deployment).flatMap(({ label, values }) => wrapped(label, values.join(', '))),
  ].map(row => fitLine(row, width));
}

function setting(label: string, value: Line): Span[] {
  return [span(` ${label.padEnd(LABEL_WIDTH - 1)}`, quiet), ...value];
}

function keysPanel(state: DeploymentState, canvas: Canvas): Line[] {
  const room = insidePanel(canvas);
  const keys = state.keys.value;
  const options = { ...canvas, title: 'API keys' };
  if (!keys || keys.length === 0) {
    const words = keys ? NO_KEYS : waitingLine(state.keys.isSlow && state.keys.problem === null);
    return panel(centered(words, room.width, room.height), options);
  }
  const place = { chosen: chosenRow(state), top: 0, width: room.width, inSight: room.height };
  return panel(
    listRows(keys, place, key => [keyLine(key, canvas)]),
    options,
  );
}

const NO_KEYS: Line[] = [
  line('No keys yet', { bold: true }),
  line('Press i to issue one. It is shown only once.', quiet),
];

function keyLine({ label, prefix, enabled }: Key, { width, glyphs }: Canvas): Line {
  const style = enabled ? {} : { strike: true, dim: true };
  const labelWidth = Math.min(KEY_LABEL_WIDTH, width - KEY_PREFIX_WIDTH - 18);
  return [
    ...fitLine([span(label, style)], labelWidth),
    span('  '),
    ...fitLine([span(prefix, style), span('…', quiet)], KEY_PREFIX_WIDTH),
    enabled ? enabledSpan(true, 'live', glyphs) : span(`${glyphs.off} revoked`, quiet),
  ];
}

function samplePanel(state: DeploymentState, deployment: Deployment, canvas: Canvas): Line[] {
  const room = insidePanel(canvas);
  const aside = LANGUAGES.flatMap(({ value, label }) => [
    value === state.language ? span(` ${label} `, { inverse: true, bold: true }) : span(` ${label} `, quiet),
  ]);
  const sample = quickStart(state.language, deployment)
    .split('\n')
    .flatMap(row => breakToWidth(row, room.width))
    .map(row => line(row));
  const operation = line(OPERATIONS[0], quiet);
  const content = sample.length + 2 <= room.height ? [operation, [], ...sample] : sample;
  return panel(shorten(content, room.height), { ...canvas, title: 'Quick start', aside });
}

function shorten(lines: readonly Line[], height: number): Line[] {
  if (lines.length <= height) return [...lines];
  return [...lines.slice(0, height - 1), line('… press s to copy all of it', quiet)];
}

export function deploymentStatus({ deployment, isBusy }: DeploymentState, isPrompting: boolean): Line {
  if (isBusy) return line('Waiting for the cloud…', quiet);
  return deployment.value && !isPrompting ? line(deploymentHost(deployment.value), quiet) : [];
}

// What is learned as lines: the figures, the findings, the rows, and the selected row token by token below.
import {
  dataFacts,
  FINDING_TEXTS,
  formatCount,
  GRADE_MARKS,
  measurementText,
  plural,
  rowFacts,
  sampleText,
} from '../../../../lib/console/index.js';
import type { DataPreview, PreviewRow } from '../../../../lib/contract/index.js';
import type { Canvas, Drawn } from '../../drawing/canvas.js';
import { centered, cutLine, fitHeight, type Line, line, quiet, span, spread } from '../../drawing/line.js';
import { listRows } from '../../drawing/list-rows.js';
import { paragraph, problemRows, waitingLine } from '../../drawing/words.js';
import { lengthLines } from './length-lines.js';
import { chosenRow, type DataState, rowsIn } from './state.js';
import { tokenLines } from './token-lines.js';

const TONES = { error: 'failed', warning: 'warning', note: undefined } as const;
/** On lower screens, figures and findings take one line each. */
const EASY_HEIGHT = 24;
const MOST_FINDINGS = 4;

export function listHeight(state: DataState, canvas: Canvas): number {
  return Math.max(1, Math.floor((canvas.height - headLines(state, canvas).length) * 0.4));
}

export function drawData(state: DataState, canvas: Canvas): Drawn {
  const { width, height } = canvas;
  const head = headLines(state, canvas);
  const rows = rowsIn(state);
  if (rows.length === 0) {
    const text = state.fetched.value ? [line('No rows', { bold: true })] : waitingLine(state.fetched.isSlow);
    return { lines: [...head, ...centered(text, width, Math.max(0, height - head.length))] };
  }
  const room = listHeight(state, canvas);
  const chosen = chosenRow(state);
  const lines = listRows(rows, { chosen, top: state.top, width, inSight: room }, row => [rowLine(row)]);
  const below = Math.max(0, height - head.length - room);
  const shown = state.showsLengths
    ? lengthLines(state.fetched.value!.report, width, below)
    : detail(rows[chosen]!, width);
  return { lines: [...head, ...fitHeight(lines, room), ...fitHeight(shown, below)] };
}

export function dataStatus({ fetched, isMeasuring }: DataState): Line {
  if (isMeasuring) return line('Measuring: training a few steps…', quiet);
  if (!fetched.value) return [];
  const { rows, total } = fetched.value;
  return line(
    rows.length < total ? `${formatCount(rows.length)} of ${plural(total, 'row')}` : plural(total, 'row'),
    quiet,
  );
}

function headLines(state: DataState, canvas: Canvas): Line[] {
  const { fetched, finding } = state;
  const title = finding ? FINDING_TEXTS[finding].title : 'What is learned';
  const name = fetched.value ? line(`${fetched.value.report.name} `, quiet) : [];
  return [
    spread([span(' '), span(title, { bold: true })], name, canvas.width),
    ...problemRows(fetched.problem, canvas),
    ...(fetched.value ? reportLines(fetched.value, state, canvas) : []),
    [],
  ];
}

function reportLines(
  { report, measurement }: DataPreview,
  { finding }: DataState,
  { width, height }: Canvas,
): Line[] {
  const facts = dataFacts(report);
  if (finding !== null) return indent(paragraph(FINDING_TEXTS[finding].advice, width - 2, quiet, 2));
  if (height < EASY_HEIGHT) {
    const short = facts
      .slice(0, 1)
      .map(([, value]) => value)
      .join(' · ');
    return [cutLine([span(` ${short} · ${plural(report.findings.length, 'finding')}`)], width)];
  }
  const sample = sampleText(report);
  const column = Math.max(...facts.map(([label]) => label.length));
  const shown = measurement ? [...facts, ['Time', measurementText(measurement)] as const] : facts;
  const found = report.findings.slice(0, MOST_FINDINGS).map(({ name, grade, rows }) => {
    const tone = TONES[grade];
    const text = `${GRADE_MARKS[grade]} ${FINDING_TEXTS[name].title}: ${plural(rows, 'row')}`;
    return cutLine([span(` ${text}`, tone ? { tone } : quiet)], width);
  });
  const more = report.findings.length - found.length;
  return [
    ...shown.map(([label, value]) =>
      cutLine([span(` ${label.padEnd(column)}  `, quiet), span(value)], width),
    ),
    ...(sample ? indent(paragraph(sample, width - 2, quiet, 2)) : []),
    [],
    ...(found.length > 0 ? found : [line(' Nothing wrong found', quiet)]),
    ...(more > 0 ? [line(` … and ${formatCount(more)} more`, quiet)] : []),
  ];
}

function indent(lines: readonly Line[]): Line[] {
  return lines.map(row => [span(' '), ...row]);
}

function rowLine(row: PreviewRow): Line {
  const grade = row.findings.length > 0 ? '!' : ' ';
  return [
    span(` ${grade} `, { tone: 'warning' }),
    span(`${row.file}:${row.number}  `),
    span(row.prompt || row.answer, quiet),
  ];
}

function detail(row: PreviewRow, width: number): Line[] {
  const like = row.like ? ` (see ${row.like.file}:${row.like.number})` : '';
  const findings = row.findings.map(name => FINDING_TEXTS[name].title).join(', ');
  return [
    [],
    cutLine([span(` ${rowFacts(row)}`, quiet)], width),
    ...(findings ? [cutLine([span(` ${findings}${like}`, { tone: 'warning' })], width)] : []),
    ...row.views.flatMap(({ label, tokens, omitted }) => [
      ...(label ? [line(` ${label}`, { bold: true })] : []),
      ...indent(tokenLines(tokens, width - 2)),
      ...(omitted > 0 ? [line(` … and ${plural(omitted, 'more token')}`, quiet)] : []),
    ]),
  ];
}

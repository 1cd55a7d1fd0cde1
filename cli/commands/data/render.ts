// A checked data set as text: the report, the rows with a finding, and one row token by token.
import {
  barCells,
  dataFacts,
  FINDING_TEXTS,
  findingRows,
  GRADE_MARKS,
  lengthBars,
  measurementText,
  plural,
  rowFacts,
  sampleText,
  tokenRuns,
} from '../../../lib/console/index.js';
import type { DataFinding, DataPreview, PreviewRow } from '../../../lib/contract/index.js';
import type { Style } from '../../style.js';
import { toSafeLine, toSafeText } from '../../style.js';
import { renderFacts } from '../terminal/facts.js';
import type { Screen } from '../terminal/screen.js';
import { renderTable } from '../terminal/table.js';

type Page = Pick<Screen, 'width' | 'style'>;

export function renderReport({ report, measurement }: DataPreview, { width, style }: Page): string {
  const sample = sampleText(report);
  const facts = [
    ['Data set', report.name] as const,
    ...dataFacts(report),
    ['Time', measurement && measurementText(measurement)] as const,
  ];
  const parts = [
    renderFacts(facts, style),
    ...(sample ? [`${style.dim(sample)}\n`] : []),
    renderBars(report, width, style),
    renderFindings(report, style),
  ];
  return parts.filter(part => part !== '').join('\n');
}

const BAR = 40;

function renderBars(report: DataPreview['report'], width: number, style: Style): string {
  const bars = lengthBars(report);
  if (bars.length < 2) return '';
  const [labels, counts] = [bars.map(({ label }) => label), bars.map(({ rows }) => `${rows}`)];
  const column = Math.max(...labels.map(label => label.length));
  const room = Math.max(
    4,
    Math.min(BAR, width - column - Math.max(...counts.map(({ length }) => length)) - 10),
  );
  const lines = bars.map((one, index) => {
    const { isOver, hasLimit } = one;
    const bar = '█'.repeat(barCells(one, room));
    const limit = hasLimit ? style.dim(' ← limit') : '';
    return `${style.dim(labels[index]!.padStart(column))}  ${isOver ? style.yellow(bar) : bar} ${counts[index]}${limit}\n`;
  });
  return `${style.bold('Tokens per row')}\n${lines.join('')}`;
}

const paints = { error: 'red', warning: 'yellow', note: 'dim' } as const;

function renderFindings({ findings }: DataPreview['report'], style: Style): string {
  if (findings.length === 0) return 'Nothing wrong found.\n';
  const lines = findings.map(finding => {
    const { title, advice } = FINDING_TEXTS[finding.name];
    const head = `${GRADE_MARKS[finding.grade]} ${title}: ${plural(finding.rows, 'row')}`;
    const paint = style[paints[finding.grade]];
    return `${paint(head)}  ${style.dim(toSafeLine(findingRows(finding)))}\n  ${advice} ${style.dim(`(--finding ${finding.name})`)}\n`;
  });
  return lines.join('');
}

export function renderList({ rows, total }: DataPreview, finding: DataFinding, screen: Page): string {
  const { style } = screen;
  const { title, advice } = FINDING_TEXTS[finding];
  if (rows.length === 0) return `${title}: no rows.\n`;
  const table = renderTable<PreviewRow>(
    [
      { title: 'Row', text: ({ file, number }) => `${file}:${number}`, least: 8 },
      { title: 'Tokens', text: ({ length }) => `${length}` },
      { title: 'Learned', text: ({ learned }) => `${learned}` },
      {
        title: 'Like',
        text: ({ like }) => (like ? `${like.file}:${like.number}` : ''),
        least: 8,
        spare: true,
      },
      { title: 'Prompt', text: ({ prompt }) => prompt, least: 10 },
      { title: 'Answer', text: ({ answer, refusal }) => refusal ?? answer, least: 10 },
    ],
    rows,
    screen,
  );
  const shown = rows.length < total ? `${rows.length} of ${plural(total, 'row')}` : plural(total, 'row');
  return `${style.bold(title)}. ${advice}\n${table}${style.dim(shown)}\n`;
}

export function renderRow(row: PreviewRow | undefined, number: number, { style }: Page): string {
  if (!row) return `There is no row ${number}.\n`;
  const findings = row.findings.map(name => `${FINDING_TEXTS[name].title}\n`);
  const like = row.like ? ` (see ${row.like.file}:${row.like.number})` : '';
  const head = `${style.bold(toSafeLine(`${row.file}:${row.number}`))}  ${style.dim(toSafeLine(rowFacts(row)))}\n`;
  const problems = findings.length > 0 ? style.yellow(toSafeText(findings.join('').trimEnd() + like)) : '';
  const views = row.views.map(({ label, tokens, omitted }) => {
    const text = tokenRuns(tokens)
      .map(run => paintRun(run, style))
      .join('');
    const more = omitted > 0 ? `\n${style.dim(`… and ${plural(omitted, 'more token')}`)}` : '';
    return `${label ? `${style.bold(label)}\n` : ''}${text}${more}\n`;
  });
  const legend =
    views.length > 0
      ? `${style.dim('Learned is')} ${style.learned('marked')}${style.dim(', cut off is')} ${style.cut('struck')}${style.dim(', the rest is read.')}\n`
      : '';
  return [head + (problems ? `${problems}\n` : ''), ...views, legend].filter(part => part !== '').join('\n');
}

type Run = ReturnType<typeof tokenRuns>[number];

/** Without colors, signs mark what is learned and cut. Markers of the model stay on their line. */
function paintRun({ text, kind, special }: Run, style: Style): string {
  const safe = special ? toSafeLine(text) : toSafeText(text);
  if (kind === 'learned') return style.learned(safe);
  if (kind === 'cut') return style.cut(safe);
  return special ? style.dim(safe) : safe;
}

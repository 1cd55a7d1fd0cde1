// svc data check [PATH]: shows what training would learn from a data set, and any problems with it.
import { resolve } from 'node:path';
import {
  barCells,
  dataFacts,
  FINDING_TEXTS,
  findingAdvice,
  findingRows,
  GRADE_MARKS,
  lengthBars,
  measurementText,
  plural,
  rowFacts,
  sampleText,
  tokenRuns,
} from '../../../lib/console/index.js';
import {
  DATA_FINDINGS,
  type DataFinding,
  type DataPreview,
  type DataPreviewInput,
  type PreviewRow,
} from '../../../lib/contract/index.js';
import {
  type DistilWatch,
  findEntry,
  prepareJob,
  type Session,
  type TrainerOptions,
} from '../../../lib/sdk/index.js';
import { CommandError, exitCode, type Input, UsageError } from '../../command.js';
import type { Screen } from '../../screen.js';
import { type Style, toSafeLine, toSafeText } from '../../style.js';
import { countOption, textOption } from '../project/option-values.js';
import { projectCommand } from '../project/session-command.js';
import { createDistilReporter, createDistilStop } from '../start/distil.js';
import { prepareTrainer } from '../start/prepare.js';
import { renderFacts, renderTable } from '../terminal/table.js';

export const run = projectCommand(async ({ io, session, screen, answer, note, ...input }) => {
  const query = readQuery(input);
  const stop = createDistilStop(io, note);
  try {
    const options = await readOptions(input.positionals[0], io, note);
    const watch = { ...stop.watch(createDistilReporter(note)), mayAsk: input.values['no-ask'] !== true };
    const { config, preview } = await check(options, query, session, watch);
    if (query.row !== undefined && preview.rows.length === 0) throw noSuchRow(query.row);
    answer({ config, ...preview }, () => render(preview, query, screen));
    return preview.report.findings.some(({ grade }) => grade === 'error') ? exitCode.failure : exitCode.ok;
  } catch (error) {
    const text = stop.text();
    if (text === null) throw error;
    note(text);
    return exitCode.interrupted;
  } finally {
    stop.ignore();
  }
});

/** A data set has at least one row, so only a header can be in the place of the first. */
function noSuchRow(row: number): CommandError {
  const why = row === 1 ? ' The header of a CSV file counts, so its first row is 2.' : '';
  return new CommandError(`there is no row ${row}.${why}`);
}

type Query = Omit<DataPreviewInput, 'config'>;

function readQuery(input: Pick<Input, 'values'>): Query {
  const { values } = input;
  const row = countOption(input, 'row');
  const limit = countOption(input, 'limit');
  return {
    finding: readFinding(textOption(input, 'finding')),
    row,
    limit,
    tokens: row !== undefined,
    ...(values.all === true && { effort: 'all' as const }),
    ...(values.measure === true && { measure: true }),
  };
}

function readFinding(name: string | undefined): DataFinding | undefined {
  const known = DATA_FINDINGS.find(finding => finding === name);
  if (known || name === undefined) return known;
  throw new UsageError(`option "--finding" must be one of ${DATA_FINDINGS.join(', ')}.`);
}

async function check(
  options: TrainerOptions,
  query: Query,
  session: Session,
  watch: DistilWatch,
): Promise<{ config: DataPreviewInput['config']; preview: DataPreview }> {
  const { input, cloud } = await prepareJob(options, session, watch);
  return { config: input.config, preview: await cloud.previewData({ config: input.config, ...query }) };
}

/** Those of the project's trainer, or for a file. */
function readOptions(path: string | undefined, place: Place, note: (line: string) => void) {
  return path === undefined ? trainerOptions(place, note) : optionsFor(path, place, note);
}

type Place = Parameters<typeof prepareTrainer>[0];

async function trainerOptions(place: Place, note: (line: string) => void): Promise<TrainerOptions> {
  return (await prepareTrainer(place, undefined, note)).options;
}

/**
 * The options for reading a file: the project trainer's, or the defaults outside a project. The trainer's own file is its data
 * set, with `columns` and `map`.
 */
async function optionsFor(path: string, place: Place, note: (line: string) => void): Promise<TrainerOptions> {
  const folder = place.cwd;
  const file = { type: 'file' as const, path };
  const hasEntry = await findEntry(folder).then(
    () => true,
    () => false,
  );
  if (!hasEntry) return { name: 'check', dataset: file };
  const options = await trainerOptions(place, note);
  const { dataset: own } = options;
  const isOwn = own.type === 'file' && resolve(folder, own.path) === resolve(folder, path);
  return isOwn ? options : { ...options, dataset: file };
}

function render(preview: DataPreview, { row, finding }: Query, screen: Page): string {
  if (row !== undefined) return renderRow(preview.rows[0]!, screen);
  if (finding !== undefined) return renderList(preview, finding, screen);
  return renderReport(preview, screen);
}

type Page = Pick<Screen, 'width' | 'style'>;

function renderReport({ report, measurement }: DataPreview, { width, style }: Page): string {
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
    const { title } = FINDING_TEXTS[finding.name];
    const head = `${GRADE_MARKS[finding.grade]} ${title}: ${plural(finding.rows, 'row')}`;
    const paint = style[paints[finding.grade]];
    return `${paint(head)}  ${style.dim(toSafeLine(findingRows(finding)))}\n  ${toSafeLine(findingAdvice(finding))} ${style.dim(`(--finding ${finding.name})`)}\n`;
  });
  return lines.join('');
}

function renderList({ rows, total }: DataPreview, finding: DataFinding, screen: Page): string {
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

function renderRow(row: PreviewRow, { style }: Page): string {
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

/** Without colors, brackets mark learned and truncated text. The model's special tokens never wrap. */
function paintRun({ text, kind, special }: Run, style: Style): string {
  const safe = special ? toSafeLine(text) : toSafeText(text);
  if (kind === 'learned') return style.learned(safe);
  if (kind === 'cut') return style.cut(safe);
  return special ? style.dim(safe) : safe;
}

// svc data check [PATH]: what a training would learn from a data set, and what is wrong with it.
import {
  DATA_FINDINGS,
  type DataFinding,
  type DataPreview,
  type DataPreviewInput,
} from '../../../lib/contract/index.js';
import { findEntry, prepareJob, type Session, type TrainerOptions } from '../../../lib/sdk/index.js';
import type { Input, Io } from '../../command.js';
import { createUsageError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';
import { printAnswer, printLine } from '../../print.js';
import { countOption, textOption } from '../project/option-values.js';
import { sessionCommand } from '../project/session-command.js';
import { prepareTrainer } from '../start/prepare-trainer.js';
import { routeConsole } from '../start/route-console.js';
import { keepOutputs, routeStream } from '../start/route-streams.js';
import { renderList, renderReport, renderRow } from './render.js';

const WHERE = 'data check';

export const run = sessionCommand(async ({ io: shared, session, screen, json, ...input }) => {
  const query = readQuery(input);
  const io = keepOutputs(shared);
  const giveBack = silenceProject(shared, io);
  try {
    const { config, preview } = await check(input.positionals[0], query, session, io);
    printAnswer(io, { json }, { config, ...preview }, () => render(preview, query, screen));
    return preview.report.findings.some(({ grade }) => grade === 'error') ? exitCode.failure : exitCode.ok;
  } finally {
    giveBack();
  }
});

type Query = Omit<DataPreviewInput, 'config'>;

function readQuery(input: Omit<Input, 'json'>): Query {
  const { values } = input;
  const row = countOption(input, 'row', WHERE);
  const limit = countOption(input, 'limit', WHERE);
  if (row === 0) throw createUsageError('option "--row" must be at least 1.', WHERE);
  if (limit !== undefined && (limit === 0 || limit > 100))
    throw createUsageError('option "--limit" must be from 1 to 100.', WHERE);
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
  throw createUsageError(`option "--finding" must be one of ${DATA_FINDINGS.join(', ')}.`, WHERE);
}

async function check(
  path: string | undefined,
  query: Query,
  session: Session,
  { stderr, cwd, env }: Io,
): Promise<{ config: DataPreviewInput['config']; preview: DataPreview }> {
  const note = (line: string) => printLine(stderr, line, env);
  const options = path === undefined ? await trainerOptions(cwd, note) : await optionsFor(path, cwd, note);
  const { input, cloud } = await prepareJob(options, session);
  return { config: input.config, preview: await cloud.previewData({ config: input.config, ...query }) };
}

async function trainerOptions(folder: string, note: (line: string) => void): Promise<TrainerOptions> {
  return (await prepareTrainer(folder, undefined, note)).options;
}

/** A file is read as the project's trainer would read it; without a project, with the usual options. */
async function optionsFor(
  path: string,
  folder: string,
  note: (line: string) => void,
): Promise<TrainerOptions> {
  const dataset = { type: 'file' as const, path };
  const hasEntry = await findEntry(folder).then(
    () => true,
    () => false,
  );
  if (!hasEntry) return { name: 'check', dataset };
  const { dataset: own, ...options } = await trainerOptions(folder, note);
  const columns = own.type === 'file' && own.path === path ? own.columns : undefined;
  return { ...options, dataset: { ...dataset, ...(columns && { columns }) } };
}

/** What the project's code prints goes to stderr, so that stdout has only the result. */
function silenceProject(shared: Io, { stderr }: Io): () => void {
  const giveBack = [routeConsole(stderr, stderr, false), routeStream(shared.stdout, stderr)];
  return () => giveBack.forEach(give => void give());
}

function render(
  preview: DataPreview,
  { row, finding }: Query,
  screen: Parameters<typeof renderReport>[1],
): string {
  if (row !== undefined) return renderRow(preview.rows[0], row, screen);
  if (finding !== undefined) return renderList(preview, finding, screen);
  return renderReport(preview, screen);
}

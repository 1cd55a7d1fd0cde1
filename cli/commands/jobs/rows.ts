// svc jobs rows ID: the rows with the highest loss, with a rising loss, or in a given step.
import {
  noRowsText,
  type RowSelection,
  rowFigures,
  rowsNote,
  shortId,
  sparkText,
} from '../../../lib/console/index.js';
import type { RowLoss, RowLosses, RowLossSort } from '../../../lib/contract/index.js';
import { CommandError, UsageError } from '../../command.js';
import type { Screen } from '../../screen.js';
import { findJob } from '../project/find.js';
import { countOption, textOption } from '../project/option-values.js';
import { type SessionContext, sessionCommand } from '../project/session-command.js';
import { type Column, renderTable } from '../terminal/table.js';

const [USUAL, MOST_PER_PAGE] = [20, 200];

export const run = sessionCommand(async input => {
  const { positionals, values, session, answer } = input;
  const wanted = countOption(input, 'worst') ?? USUAL;
  const step = countOption(input, 'step');
  const rising = values.rising === true;
  const sort = textOption(input, 'by') as RowLossSort | undefined;
  if (step !== undefined && sort !== undefined)
    throw new UsageError(
      '"--step" cannot be combined with "--by": the rows of a step are sorted by their loss in it.',
    );
  const { cloud, id } = await findJob(session, positionals[0]!);
  let found: RowLosses | null = null;
  for (let cursor: string | undefined, left = wanted; left > 0; left = wanted - found.rows.length) {
    const limit = Math.min(left, MOST_PER_PAGE);
    const page: RowLosses = await cloud.listJobRows(id, { sort, rising, step, limit, cursor });
    found = found ? { ...page, rows: [...found.rows, ...page.rows] } : page;
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  const selection = toSelection(rising, step);
  if (selection.kind === 'step' && found!.unrecorded === null && found!.rows.length === 0)
    throw new CommandError(
      rising && found!.recorded > 0
        ? 'No row of this step has a loss that rises.'
        : `${noRowsText(selection, found!)}.`,
    );
  answer(found!, () => renderRows(found!, selection, input, id));
});

function toSelection(rising: boolean, step: number | undefined): RowSelection {
  if (step !== undefined) return { kind: 'step', step };
  return { kind: rising ? 'rising' : 'worst' };
}

function renderRows(
  found: RowLosses,
  selection: RowSelection,
  { screen, svc }: Pick<SessionContext, 'screen' | 'svc'>,
  id: string,
): string {
  if (found.unrecorded)
    return `${found.unrecorded} "${svc} jobs answers ${shortId(id)}" shows the answers of its steps with their rewards.\n`;
  if (found.rows.length === 0) return `${noRowsText(selection, found)}.\n`;
  const note = screen.style.dim(rowsNote(found));
  return `${renderTable(columnsFor(selection, screen), found.rows, screen)}${note}\n`;
}

const SPARK_WIDTH = 12;

function columnsFor({ kind }: RowSelection, { style }: Screen): Column<RowLoss>[] {
  const inStep: Column<RowLoss> = { title: 'Loss', text: row => rowFigures(row).inStep ?? '' };
  return [
    ...(kind === 'step' ? [inStep] : []),
    { title: 'Last', text: row => rowFigures(row).last },
    { title: 'First', text: row => rowFigures(row).first },
    {
      title: 'Change',
      text: row => rowFigures(row).change,
      paint: (text, row) => (rowFigures(row).isRising ? style.red(text) : style.dim(text)),
    },
    { title: 'Over time', text: ({ losses }) => sparkText(losses, SPARK_WIDTH), spare: true },
    { title: 'Row', text: row => rowFigures(row).place, least: 8, paint: style.dim },
    { title: 'Prompt', text: row => rowFigures(row).prompt, least: 10, spare: true },
    { title: 'Answer', text: row => rowFigures(row).answer, least: 10 },
  ];
}

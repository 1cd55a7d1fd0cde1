// svc jobs compare ID ID…: the results of several jobs side by side, and the settings in which they differ.
import {
  type CompareRow,
  type CompareView,
  noDifference,
  resultRows,
  runName,
  runSummary,
  settingDifferences,
  shortId,
  startCompare,
} from '../../../lib/console/index.js';
import { UsageError } from '../../command.js';
import type { Screen } from '../../screen.js';
import type { Style } from '../../style.js';
import { findJob } from '../project/find.js';
import { type SessionContext, sessionCommand } from '../project/session-command.js';
import { type Column, renderTable } from '../terminal/table.js';
import { readView } from '../training/event-log.js';

export const run = sessionCommand(async context => {
  const { screen, answer } = context;
  const runs = await readRuns(context);
  const now = Date.now();
  const differences = settingDifferences(runs);
  const document = {
    runs: runs.map(({ view }) => ({ job: view.polled, summary: runSummary(view, now) })),
    differences: differences.map(({ label, values }) => ({ setting: label, values })),
  };
  answer(document, () => renderComparison(runs, resultRows(runs, now), differences, screen));
});

async function readRuns({ positionals, session }: SessionContext): Promise<CompareView> {
  const found: Awaited<ReturnType<typeof findJob>>[] = [];
  for (const typed of positionals) {
    const job = await findJob(session, typed);
    if (found.some(({ id }) => id === job.id)) throw new UsageError(`job ${shortId(job.id)} is named twice.`);
    found.push(job);
  }
  const runs = startCompare(
    found.map(({ id }) => id),
    () => true,
  );
  return Promise.all(
    found.map(async ({ cloud, id }, index) => {
      const { job } = await cloud.getJob(id);
      return { ...runs[index]!, view: await readView(cloud, job) };
    }),
  );
}

const MISSING = '–';
const BEST = '*';

function renderComparison(
  runs: CompareView,
  results: readonly CompareRow[],
  differences: readonly CompareRow[],
  screen: Screen,
): string {
  const blank = { label: '', values: runs.map(() => ''), best: [] };
  const ids = { label: 'ID', values: runs.map(({ named }) => shortId(named)), best: [] };
  const settings = differences.length > 0 ? [blank, ...differences] : [];
  const rows = [ids, ...results, ...settings];
  const table = renderTable(
    [labelColumn, ...runs.map((_, index) => runColumn(runs, index, screen.style))],
    rows,
    screen,
  );
  const notes = [
    results.some(({ best }) => best.length > 0) ? `${BEST} best` : null,
    differences.length === 0 ? noDifference(runs) : null,
  ].filter(note => note !== null);
  return notes.length === 0
    ? table
    : `${table}\n${notes.map(note => `${screen.style.dim(note)}\n`).join('')}`;
}

const labelColumn: Column<CompareRow> = { title: 'Run', text: ({ label }) => label, least: 8 };

function runColumn(runs: CompareView, index: number, { green }: Style): Column<CompareRow> {
  const isBest = ({ best }: CompareRow) => best.includes(index);
  return {
    title: runName(runs[index]!, runs),
    text: row => `${row.values[index] ?? MISSING}${isBest(row) ? ` ${BEST}` : ''}`,
    least: 8,
    paint: (text, row) => (isBest(row) ? green(text) : text),
  };
}

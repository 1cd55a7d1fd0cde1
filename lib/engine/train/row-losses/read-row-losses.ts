// Answers questions about the losses of a run's rows: which were learned worst, which got worse, and which were in a step.
// Reads the file twice, so that memory is only needed for the figures of each row and for the losses of one page.
import { type Entry, openRowLossFile, type RowLossFile } from './row-loss-file.js';

/** @internal */
export type RowLossSort = 'last' | 'first' | 'mean' | 'rise';

export interface RowLossQuery {
  /** Worst first. */
  sort: RowLossSort;
  /** Only rows whose last loss is higher than their first. */
  rising: boolean;
  /** Only the rows of this step, and by their loss in it. */
  step: number | null;
  skip: number;
  limit: number;
}

interface RowLossFigures {
  row: number;
  /** Tokens learned from it. */
  labels: number;
  visits: number;
  first: number;
  last: number;
  mean: number;
  /** In the step that was asked for. */
  inStep: number | null;
}

export interface RowLossReport {
  total: number;
  /** How many of the recorded rows have been trained on. */
  recorded: number;
  /** One in this many rows is recorded. */
  every: number;
  rows: (RowLossFigures & { losses: { step: number; loss: number }[] })[];
}

const NOTHING: RowLossReport = { total: 0, recorded: 0, every: 1, rows: [] };
/** For one row; of more, evenly spaced ones with the first and the last. */
const MOST_LOSSES = 60;

const BY: Record<RowLossSort, (row: RowLossFigures) => number> = {
  last: ({ last }) => last,
  first: ({ first }) => first,
  mean: ({ mean }) => mean,
  rise: ({ first, last }) => last - first,
};

/** Nothing if the run has not recorded any. */
export async function readRowLosses(
  path: string,
  query: RowLossQuery,
  signal?: AbortSignal,
): Promise<RowLossReport> {
  const file = await openRowLossFile(path);
  if (!file) return NOTHING;
  try {
    const all = await addUpRows(file, query.step, signal);
    const found = [...all.values()].filter(row => matches(row, query));
    const by = query.step === null ? BY[query.sort] : ({ inStep }: RowLossFigures) => inStep!;
    const page = found
      .sort((a, b) => by(b) - by(a) || a.row - b.row)
      .slice(query.skip, query.skip + query.limit);
    const losses = await readLosses(file, page, signal);
    return {
      total: found.length,
      recorded: all.size,
      every: file.header.every,
      rows: page.map(row => ({ ...row, losses: thinOut(losses.get(row.row)!) })),
    };
  } finally {
    await file.close();
  }
}

function matches({ first, last, inStep }: RowLossFigures, { rising, step }: RowLossQuery): boolean {
  return (!rising || last > first) && (step === null || inStep !== null);
}

async function addUpRows(
  file: RowLossFile,
  atStep: number | null,
  signal: AbortSignal | undefined,
): Promise<Map<number, RowLossFigures>> {
  const rows = new Map<number, RowLossFigures>();
  const add = ({ step, row, labels, loss }: Entry) => {
    let known = rows.get(row);
    if (!known) {
      known = { row, labels, visits: 0, first: loss, last: loss, mean: 0, inStep: null };
      rows.set(row, known);
    }
    known.visits++;
    known.last = loss;
    known.mean += (loss - known.mean) / known.visits;
    if (step === atStep) known.inStep = loss;
  };
  for await (const entries of file.entries(signal)) for (const entry of entries) add(entry);
  return rows;
}

async function readLosses(
  file: RowLossFile,
  page: readonly RowLossFigures[],
  signal: AbortSignal | undefined,
): Promise<Map<number, { step: number; loss: number }[]>> {
  const losses = new Map(page.map(({ row }) => [row, [] as { step: number; loss: number }[]]));
  if (page.length === 0) return losses;
  for await (const entries of file.entries(signal))
    for (const { row, step, loss } of entries) losses.get(row)?.push({ step, loss });
  return losses;
}

function thinOut<T>(all: readonly T[]): T[] {
  if (all.length <= MOST_LOSSES) return [...all];
  return Array.from(
    { length: MOST_LOSSES },
    (_, i) => all[Math.round((i * (all.length - 1)) / (MOST_LOSSES - 1))]!,
  );
}

/** Whether a run could have written all entries. */
export async function areRowLossesValid(path: string): Promise<boolean> {
  const file = await openRowLossFile(path);
  if (!file) return false;
  try {
    for await (const entries of file.entries())
      for (const { step, loss } of entries) if (step === 0 || !Number.isFinite(loss)) return false;
    return true;
  } finally {
    await file.close();
  }
}

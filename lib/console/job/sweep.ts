// The runs of a sweep: what varies, which run won, and where each crosses the parallel axes.
import { JOB_FIELDS, type JobSummary, measuresOf } from '../../contract/index.js';
import { groupText } from '../labels.js';
import { formatNumber } from '../text/format.js';
import type { JobColumn } from './job-columns.js';

type GroupedJob = JobSummary & { readonly group: NonNullable<JobSummary['group']> };

interface Measure {
  /** `Final eval loss`, `Final held-out reward`, `Best accuracy` */
  readonly title: string;
  /** Whether higher is better. */
  readonly higher: boolean;
  /** The job field that holds the measure. */
  readonly field: 'bestScore' | ReturnType<typeof measuresOf>[number]['name'];
  reached(run: JobSummary): number | null;
}

export interface Sweep {
  readonly id: string;
  readonly name: string;
  /** The settings that vary. */
  readonly settings: readonly string[];
  /** In the order in which they were queued. */
  readonly runs: readonly GroupedJob[];
  /** The measure that runs are compared by; null until one has completed. */
  readonly measure: Measure | null;
  readonly winner: GroupedJob | null;
  /** The varied settings that change what the loss means, if it is the measure. There is no winner then. */
  readonly unlike: readonly string[];
}

/** They decide what a loss adds up, so losses of runs that differ in them cannot be compared. */
const CHANGE_LOSS: ReadonlySet<string> = new Set([
  'enableThinking',
  'method.beta',
  'method.labelSmoothing',
  'method.sftWeight',
  'softWeight',
  'trainOnResponsesOnly',
]);

/** Null if no job belongs to it. */
export function findSweep(jobs: readonly JobSummary[], id: string): Sweep | null {
  const runs = jobs.filter((job): job is GroupedJob => job.group?.id === id).reverse();
  const [first] = runs;
  if (!first) return null;
  const settings = first.group.settings.map(({ name }) => name);
  const changing = settings.filter(
    (name, index) => CHANGE_LOSS.has(name) && new Set(runs.map(run => valueAt(run, index))).size > 1,
  );
  const done = runs.filter(({ status }) => status === 'completed');
  const usual = usualMeasures(done);
  const measure = findMeasure(done, usual);
  const unlike = measure !== null && isLoss(measure) ? changing : [];
  const ties = changing.length === 0 ? usual : usual.filter(tie => !isLoss(tie));
  const measures = measure === null ? [] : [measure, ...ties];
  const winner = done
    .filter(run => unlike.length === 0 && scoreOf(run, measure) !== null)
    .reduce<GroupedJob | null>(
      (best, run) => (best === null || isBetter(run, best, measures) ? run : best),
      null,
    );
  return {
    id,
    name: first.name,
    settings,
    runs,
    measure,
    winner,
    unlike,
  };
}

/** The held-out and the training measure: used in this order if there is no score, and to break ties. */
function usualMeasures(done: readonly GroupedJob[]): Measure[] {
  return measuresOf(...done).map(({ name, higher }) => ({
    title: JOB_FIELDS[name].final,
    higher,
    field: name,
    reached: run => run[name],
  }));
}

function isLoss({ field }: Measure): boolean {
  return field === 'evalLoss' || field === 'loss';
}

/** The score that the trainer chose, or else the first of the usual measures that was taken. */
function findMeasure(done: readonly GroupedJob[], usual: readonly Measure[]): Measure | null {
  const chosen = done.find(({ bestScore }) => bestScore)?.bestScore;
  if (chosen) {
    const { name, higher } = chosen;
    const reached = ({ bestScore }: JobSummary) => (bestScore?.name === name ? bestScore.value : null);
    return { title: `Best ${name}`, higher, field: 'bestScore', reached };
  }
  return usual.find(({ reached }) => done.some(run => reached(run) !== null)) ?? null;
}

/**
 * Compares by the first measure that differs; a run that lacks it is worse. In case of a tie, the first run
 * stays the best.
 */
function isBetter(run: JobSummary, best: JobSummary, measures: readonly Measure[]): boolean {
  for (const { higher, reached } of measures) {
    const [own, other] = [reached(run), reached(best)];
    if (own === other) continue;
    if (own === null || other === null) return own !== null;
    return higher ? own > other : own < other;
  }
  return false;
}

/** The value for a completed run. */
export function scoreOf(run: JobSummary, measure: Sweep['measure']): number | null {
  return run.status === 'completed' && measure ? measure.reached(run) : null;
}

/** `final eval loss 0.41`, `best F1 0.9` */
export function scoreWords(score: number, { title }: Measure): string {
  return `${title.charAt(0).toLowerCase()}${title.slice(1)} ${formatNumber(score)}`;
}

/** `learningRate=0.002 lora.r=8, final eval loss 0.41` */
export function winnerText({ winner, measure }: Sweep): string | null {
  const score = winner && scoreOf(winner, measure);
  if (!winner || score === null || measure === null) return null;
  return `${groupText(winner.group)}, ${scoreWords(score, measure)}`;
}

/** Why no run is the best, though some have completed; null if one is, or none has. */
export function noWinnerText({ unlike }: Sweep): string | null {
  if (unlike.length === 0) return null;
  const change = unlike.length === 1 ? 'changes' : 'change';
  return `No best run: ${unlike.join(' and ')} ${change} what the loss means. Choose a score with bestBy.`;
}

/** `3 of 4 runs completed` */
export function sweepProgress({ runs }: Sweep): string {
  const done = runs.filter(({ status }) => status === 'completed').length;
  return `${done} of ${runs.length} runs completed`;
}

/** Columns for the list of runs: what varies, and the result, with a star for the winner. */
export function sweepColumns({ settings, measure, winner }: Sweep): JobColumn[] {
  const varied = settings.map((title, index) => ({
    key: `sweep:${title}`,
    title,
    text: ({ group }: JobSummary) => String(group?.settings[index]?.value ?? ''),
  }));
  if (measure === null) return varied;
  const text = (job: JobSummary) => {
    const score = scoreOf(job, measure);
    return score === null ? '–' : `${formatNumber(score)}${job.id === winner?.id ? ' *' : ''}`;
  };
  return [...varied, { key: 'sweep:result', title: measure.title, text }];
}

interface Axis {
  readonly title: string;
  /** `at`: from 0 at the bottom to 1. */
  readonly ticks: readonly { readonly label: string; readonly at: number }[];
}

export interface SweepLine {
  readonly job: GroupedJob;
  readonly isWinner: boolean;
  /** Where the line crosses each axis; it ends before the last one if there is no result yet. */
  readonly at: readonly number[];
}

interface ParallelAxes {
  readonly axes: readonly Axis[];
  /** The winner is last, so that it is drawn over the others. */
  readonly lines: readonly SweepLine[];
}

/** One axis per setting, with evenly spaced values, and one for the result, to scale. */
export function parallelAxes(sweep: Sweep): ParallelAxes {
  const { runs, settings, measure, winner } = sweep;
  const values = settings.map((_, index) => sortedValues(runs.map(run => valueAt(run, index))));
  const scores = runs.flatMap(run => scoreOf(run, measure) ?? []);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const place = (score: number) => (high === low ? 0.5 : (score - low) / (high - low));
  const axes: Axis[] = settings.map((title, index) => ({
    title,
    ticks: values[index]!.map((value, rank) => ({
      label: String(value),
      at: share(rank, values[index]!.length),
    })),
  }));
  const resultTicks = [...new Set([low, high])].map(score => ({
    label: formatNumber(score),
    at: place(score),
  }));
  const result = measure === null ? [] : [{ title: measure.title, ticks: resultTicks }];
  const lines = runs.map(job => {
    const score = scoreOf(job, measure);
    const crossed = settings.map((_, index) => {
      const own = values[index]!;
      return share(own.indexOf(valueAt(job, index)), own.length);
    });
    return { job, isWinner: job === winner, at: score === null ? crossed : [...crossed, place(score)] };
  });
  return {
    axes: [...axes, ...result],
    lines: lines.sort((a, b) => Number(a.isWinner) - Number(b.isWinner)),
  };
}

type Value = GroupedJob['group']['settings'][number]['value'];

function valueAt({ group }: GroupedJob, index: number): Value {
  return group.settings[index]?.value ?? '';
}

/** Numbers by value, others by name. */
function sortedValues(values: readonly Value[]): Value[] {
  return [...new Set(values)].sort((a, b) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1,
  );
}

function share(rank: number, count: number): number {
  return count < 2 ? 0.5 : rank / (count - 1);
}

// The state of a comparison: a reducer for the data of each run. It knows nothing about connections or
// rendering.
import type { JobSummary } from '../../contract/index.js';
import { initialJobView, isSilent, type JobAction, type JobView, reduceJobView } from '../job/job-view.js';
import { findByPrefix, groupText, shortId } from '../labels.js';

export const LEAST_COMPARED = 2;
export const MOST_COMPARED = 6;

export interface ComparedRun {
  /** The ID or prefix in the address. */
  readonly named: string;
  /** Null until the job has been found. */
  readonly id: string | null;
  /** Determines its color and mark. */
  readonly place: number;
  readonly view: JobView;
  /** Why the run cannot be compared. */
  readonly problem: string | null;
}

export type CompareView = readonly ComparedRun[];

export type CompareAction =
  /** The project's jobs, for resolving shortened IDs. */
  | { readonly type: 'listed'; readonly jobs: readonly JobSummary[] }
  | { readonly type: 'job'; readonly id: string; readonly action: JobAction }
  | { readonly type: 'refused'; readonly id: string; readonly problem: string };

/** Starts with the named runs, without duplicates and up to six. */
export function startCompare(names: readonly string[], isWhole: (name: string) => boolean): CompareView {
  return distinct(names)
    .slice(0, MOST_COMPARED)
    .map((named, place) => ({
      named,
      id: isWhole(named) ? named : null,
      place,
      view: initialJobView,
      problem: null,
    }));
}

/** Why some of the named runs are left out; null if none are. */
export function leftOutText(names: readonly string[]): string | null {
  return distinct(names).length > MOST_COMPARED ? TOO_MANY_COMPARED : null;
}

export function reduceCompare(runs: CompareView, action: CompareAction): CompareView {
  switch (action.type) {
    case 'listed':
      return runs.reduce<CompareView>(
        (known, run, at) => (run.id === null ? known.with(at, identify(run, known, action.jobs)) : known),
        runs,
      );
    case 'job':
      return changeRun(runs, action.id, run => {
        const view = reduceJobView(run.view, action.action);
        return view === run.view ? run : { ...run, view };
      });
    case 'refused':
      return changeRun(runs, action.id, run => ({ ...run, problem: action.problem }));
  }
}

/** Whether some shortened IDs are still to be resolved. */
export function needsJobs(runs: CompareView): boolean {
  return runs.some(({ id, problem }) => id === null && problem === null);
}

/** Runs of a sweep share a name until renamed, so what varies is added. `runs`: all compared runs. */
export function runName({ named, id, view: { polled } }: ComparedRun, runs: CompareView): string {
  if (!polled) return shortId(id ?? named);
  const { name, trainer, group } = polled;
  const others = runs.filter(run => run.named !== named).flatMap(({ view }) => view.polled ?? []);
  const isShared = others.some(other => other.name === name);
  if (!group || (name !== trainer && !isShared)) return name;
  const saysNothing = name === trainer || others.every(other => other.name === name);
  return saysNothing ? groupText(group) : `${name} ${groupText(group)}`;
}

/** The runs that have been found. */
export function foundRuns(runs: CompareView): ComparedRun[] {
  return runs.filter(({ problem }) => problem === null);
}

/** Whether the scores of a run that has ended may still arrive. */
export function awaitsMore(runs: CompareView, id: string): boolean {
  const view = foundRuns(runs).find(run => run.id === id)?.view;
  return view?.ended === true && isSilent(view, view.eventCount);
}

/** Adds or removes a run from the comparison. Null if there is no room for it. */
export function toggleCompared(chosen: readonly string[], id: string): readonly string[] | null {
  if (chosen.includes(id)) return chosen.filter(other => other !== id);
  return chosen.length < MOST_COMPARED ? [...chosen, id] : null;
}

export const TOO_MANY_COMPARED = `At most ${MOST_COMPARED} runs can be compared.`;

/** The next step, next to the selected runs. */
export function compareHint(count: number): string {
  if (count === 0) return `Choose ${LEAST_COMPARED} to ${MOST_COMPARED} runs to compare.`;
  return count < LEAST_COMPARED
    ? 'Choose one more run.'
    : `${count} of at most ${MOST_COMPARED} runs chosen.`;
}

/** The label of the Compare button, which is disabled below two runs. */
export function compareLabel(count: number): string {
  return count < LEAST_COMPARED ? 'Compare runs' : `Compare ${count} runs`;
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names.map(name => name.toLowerCase()))];
}

function identify(run: ComparedRun, runs: CompareView, jobs: readonly JobSummary[]): ComparedRun {
  const found = findByPrefix(run.named, jobs);
  if ('problem' in found) return { ...run, problem: found.problem };
  const { job } = found;
  const isTwice = runs.some(({ id }) => id === job.id);
  if (isTwice) return { ...run, id: job.id, problem: 'This run is already in the comparison.' };
  return { ...run, id: job.id, view: reduceJobView(run.view, { type: 'polled', job }) };
}

function changeRun(runs: CompareView, id: string, change: (run: ComparedRun) => ComparedRun): CompareView {
  const index = runs.findIndex(run => run.id === id);
  const run = runs[index];
  const changed = run && change(run);
  return changed === run || !changed ? runs : runs.with(index, changed);
}

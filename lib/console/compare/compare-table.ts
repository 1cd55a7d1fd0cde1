// The table of a comparison: each run's results, and the settings that differ. One column per run; rows
// without any values are omitted.
import { MEASURES } from '../../contract/index.js';
import { type JobView, shownStatus } from '../job/job-view.js';
import { artifactCount } from '../job/metadata.js';
import { type LossAt, type RunResults, runSummary } from '../job/run-summary.js';
import { sampleSteps } from '../job/samples.js';
import { readBestBy, type ScoreAt } from '../job/scores.js';
import { variedSettings } from '../job/settings.js';
import { scoreText } from '../labels.js';
import { countText, formatCount, formatDuration, formatNumber } from '../text/format.js';
import type { ComparedRun } from './compare-view.js';

export interface CompareRow {
  readonly label: string;
  /** One per run, in order; null if it has none. */
  readonly values: readonly (string | null)[];
  /** The indexes of the runs with the best value; empty if none is better. */
  readonly best: readonly number[];
}

export function resultRows(runs: readonly ComparedRun[], now: number): CompareRow[] {
  const views = runs.map(({ view }) => view);
  const summaries = views.map(view => runSummary(view, now));
  const text = (label: string, values: (string | null)[]): CompareRow => ({ label, values, best: [] });
  const rows = [
    text('Status', views.map(shownStatus)),
    // A run has one of both.
    ...measureRows(
      MEASURES.rewards,
      summaries.map(({ rewards }) => rewards),
    ),
    ...measureRows(
      MEASURES.losses,
      summaries.map(summary => (summary.rewards ? null : summary)),
    ),
    bestScores(
      views,
      summaries.map(({ bestScore }) => bestScore),
    ),
    ...scoreRows(summaries.map(({ scores }) => scores)),
    text(
      'Steps',
      summaries.map(({ step, totalSteps }) => stepsText(step, totalSteps)),
    ),
    text(
      'Tokens',
      views.map(({ metrics: { tokens } }) => countText(tokens?.values[tokens.length - 1])),
    ),
    text(
      'Duration',
      summaries.map(({ elapsedMs }) => (elapsedMs === null ? null : formatDuration(elapsedMs))),
    ),
    text(
      'Tokens/s',
      summaries.map(({ tokensPerSecond }) =>
        tokensPerSecond === null ? null : formatNumber(tokensPerSecond, 3),
      ),
    ),
    text(
      'Artifacts',
      views.map(view => countText(artifactCount(view) ?? undefined)),
    ),
    text(
      'Samples',
      views.map(({ samples }) => countText(sampleSteps(samples).length || undefined)),
    ),
  ];
  return rows.filter(({ values }) => values.some(value => value !== null));
}

/** `all`: null for a run that is not measured so. */
function measureRows(
  [heldOut, training]: typeof MEASURES.losses,
  all: readonly (RunResults | null)[],
): CompareRow[] {
  const row = (
    which: 'Final' | 'Latest' | 'Best',
    { words, higher }: typeof training,
    pick: (run: RunResults) => LossAt | null,
  ): CompareRow => {
    const values = all.map(run => run && pick(run));
    return {
      label: `${which} ${words}`,
      values: values.map(
        value => value && (which === 'Final' ? formatNumber(value.value) : valueText(value)),
      ),
      best: lowest(values.map(value => value && (higher ? -value.value : value.value))),
    };
  };
  return [
    row('Final', training, ({ final }) => final),
    row('Final', heldOut, ({ finalEval }) => finalEval),
    row('Latest', training, ({ final, latest }) => (final ? null : latest)),
    row('Best', training, ({ best }) => best),
    row('Best', heldOut, ({ bestEval }) => bestEval),
  ];
}

export function settingDifferences(runs: readonly ComparedRun[]): CompareRow[] {
  return variedSettings(runs.map(({ view: { polled } }) => polled ?? {})).map(({ name, values }) => ({
    label: name,
    values,
    best: [],
  }));
}

/** The results, a blank row, and the settings that differ or a note without values. */
export function compareRows(runs: readonly ComparedRun[], now: number): CompareRow[] {
  const differences = settingDifferences(runs);
  const blank = { label: ' ', values: runs.map(() => ''), best: [] };
  const note = { ...blank, label: noDifference(runs) };
  return [...resultRows(runs, now), blank, ...(differences.length > 0 ? differences : [note])];
}

/** Shown in place of the settings that differ. */
export function noDifference(runs: readonly ComparedRun[]): string {
  return runs.every(({ view }) => view.polled?.config) ? 'All settings are the same.' : 'Loading settings…';
}

/** Marks the best value only if all runs rank the score the same way. */
function bestScores(views: readonly JobView[], scores: readonly (ScoreAt | null)[]): CompareRow {
  const chosen = views.map(({ polled }) => readBestBy(polled?.config));
  const meant = new Set(chosen.map(by => by && `${by.higher !== false} ${by.score}`));
  const sign = chosen[0]?.higher === false ? 1 : -1;
  return {
    label: 'Best score',
    values: scores.map(score => score && `${scoreText(score)} @ ${formatCount(score.step)}`),
    best: meant.size === 1 ? lowest(scores.map(score => score && sign * score.value)) : [],
  };
}

/** The latest value of each score that any run has. */
function scoreRows(all: readonly (readonly ScoreAt[])[]): CompareRow[] {
  const names = [...new Set(all.flat().map(({ name }) => name))];
  return names.map(name => ({
    label: name,
    values: all.map(scores => {
      const score = scores.find(entry => entry.name === name);
      return score ? formatNumber(score.value) : null;
    }),
    best: [],
  }));
}

function valueText({ value, step }: LossAt): string {
  return `${formatNumber(value)} @ ${formatCount(step)}`;
}

function stepsText(step: number | null, total: number | null): string | null {
  if (step === null && total === null) return null;
  const done = formatCount(step ?? 0);
  return total === null || total === step ? done : `${done} of ${formatCount(total)}`;
}

function lowest(values: readonly (number | null)[]): number[] {
  const known = values.filter(value => value !== null);
  const least = Math.min(...known);
  if (known.length < 2 || known.every(value => value === least)) return [];
  return values.flatMap((value, index) => (value === least ? [index] : []));
}

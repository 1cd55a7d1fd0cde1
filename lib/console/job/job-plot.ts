// A job's chart in the terminal: its losses or a metric, with a legend above and the values below.
import { type CellChart, cellChart, stepByColumns } from '../chart/cell-chart.js';
import type { CellDrawing, CellOptions } from '../chart/cell-grid.js';
import { addSmoothed, nearestStep, neighborStep, readingAt, type SeriesPair } from '../chart/chart.js';
import { type ChartChoices, drawOptions, metricChoices, modesText } from '../chart/chart-choices.js';
import { mainPair, metricPair, plotWords, readingFigures } from '../chart/figures.js';
import { chartableMetrics, mainCurve, metricLabel } from '../chart/metrics.js';
import { formatX, offeredAxes, projectSeries, stepOfX, usableAxis, xOfStep } from '../chart/x-axis.js';
import { displayWidth } from '../text/display-width.js';
import { formatCount } from '../text/format.js';
import { type Span, spansWidth } from '../text/spans.js';
import type { JobView } from './job-view.js';
import { plannedEnd } from './run-summary.js';

type Size = Pick<CellOptions, 'width' | 'height'>;
export type PlotColumns = Pick<CellDrawing, 'columns' | 'minStep' | 'maxStep'>;

/** `name`: `loss` or a metric; falls back to the run's main curve if the events lack the metric. */
export function jobPlot(job: JobView, name: string, chosen: ChartChoices) {
  const main = mainCurve(job.metrics);
  const offered = [main, ...(main === 'loss' ? [] : ['loss']), ...chartableMetrics(job.metrics)];
  const metrics = offered.map(name => ({ name, label: name === 'loss' ? 'Loss' : metricLabel(name) }));
  const metric = metrics.find(metric => metric.name === name) ?? metrics[0]!;
  const axis = usableAxis(job.metrics, chosen.x);
  const pair = pairOf(job, metric.name);
  const along = {
    training: projectSeries(pair.training, job.metrics, axis),
    evaluation: projectSeries(pair.evaluation, job.metrics, axis),
  };
  const choices = metricChoices(chosen, metric.name);
  const words = plotWords(metric.name, axis, job.metrics);
  const options = { ...drawOptions(choices, axis, plannedEnd(job, axis)), format: words.format };
  const placeOf = (step: number) => xOfStep(job.metrics, axis, step);
  const neighbor = (step: number, direction: -1 | 1) => neighborStep(pair, step, direction);
  return {
    ...{ axes: offeredAxes(job.metrics), axis, metrics, metric, pair, choices, words, placeOf, neighbor },
    /** The last step with a point. */
    latest: nearestStep(pair, Number.POSITIVE_INFINITY),
    draw: (size: Size, isFine = false) => cellChart(along, { ...options, ...size, isFine }),
    /** The chart without zoom. */
    whole: (): PlotColumns => cellChart(along, { ...options, zoom: null, width: 0, height: 0 }),
    /** The step that many columns away, or the next step if this one has no position on the axis. */
    byColumns(step: number, distance: number, columns: PlotColumns): number | null {
      const x = placeOf(step);
      if (x === undefined) return neighbor(step, distance < 0 ? -1 : 1);
      const to = stepByColumns(along, x, distance, columns);
      return to === null ? null : stepOfX(job.metrics, axis, to);
    },
  };
}

function pairOf(job: JobView, name: string): SeriesPair {
  if (name === mainCurve(job.metrics)) return mainPair(job, job.metrics);
  return name === 'loss' ? job : metricPair(job.metrics, name);
}

type JobPlot = ReturnType<typeof jobPlot>;

/** A row with spans on the left and text on the right. */
interface Ends {
  readonly left: readonly Span[];
  readonly right: string;
}

interface LegendSigns {
  readonly solid: string;
  readonly dashed: string;
  readonly mark: string;
  readonly scoreMark: string;
}

/** The index of a horizontal line in the line characters. */
const LEVEL = 3;

export function jobLegend({ words, choices }: JobPlot, chart: CellChart, signs: LegendSigns): Ends {
  const { labels, isScore } = words;
  const [line, dash] = [signs.solid[LEVEL]!, signs.dashed[LEVEL]!];
  const samples = { training: line + line, evaluation: dash + signs.mark + dash };
  const left = isScore
    ? [
        { text: line + signs.scoreMark + line, style: { tone: 'score' } as const },
        { text: ` ${labels.evaluation}` },
      ]
    : chart.legend.flatMap((tone): Span[] => [
        { text: samples[tone], style: { tone } },
        { text: ` ${labels[tone]}   ` },
      ]);
  return { left, right: modesText(choices, chart.note) };
}

/** From the longest to the shortest; `without` is removed from labels to save space. */
const READING_FORMS = [
  { latest: 'Latest: step ', at: 'Step ', gap: '   ', without: '' },
  { latest: 'Step ', at: 'Step ', gap: '  ', without: '' },
  { latest: '', at: '', gap: '  ', without: ' loss' },
] as const;

/** The values at the cursor or, without one, at the latest step, followed by the x-axis if it fits. */
export function jobReading(plot: JobPlot, chart: CellChart, cursor: number | null, width: number): Ends {
  const { words, axis } = plot;
  const isLatest = cursor === null;
  const step = cursor ?? plot.latest ?? 0;
  const x = plot.placeOf(step);
  const bold = !isLatest;
  const figures = readingFigures(addSmoothed(readingAt(plot.pair, step), chart.smoothed, x), words);
  const forms = READING_FORMS.map(({ latest, at, gap, without }): Span[] => [
    { text: `${isLatest ? latest : at}${formatCount(step)}`, style: { bold } },
    ...figures.flatMap(({ series, label, value }): Span[] => [
      { text: `${gap}${label.replace(without, '')} `, style: { dim: true } },
      { text: value, style: { tone: words.isScore ? 'score' : series, bold } },
    ]),
  ]);
  const left = forms.find(form => spansWidth(form) <= width) ?? forms.at(-1)!;
  const place = `x: ${words.x}${axis === 'step' || x === undefined ? '' : ` ${formatX(axis, x)}`}`;
  return { left, right: spansWidth(left) + displayWidth(place) < width ? place : '' };
}

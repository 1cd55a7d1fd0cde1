// View models shared by the browser and the terminal, which only render them.
export * from './base-model.js';
export * from './chart/cell-chart.js';
export type { CellDrawing } from './chart/cell-grid.js';
export * from './chart/chart.js';
export { type ChartAxes, type ChartVertex, stepAtFraction } from './chart/chart-axes.js';
export * from './chart/chart-choices.js';
export * from './chart/chart-frame.js';
export * from './chart/figures.js';
export * from './chart/metrics.js';
export * from './chart/picture-cells.js';
export * from './chart/plot.js';
export { emptySeries, extendSeries, type MetricSeries } from './chart/series.js';
export * from './chart/statistics.js';
export * from './chart/x-axis.js';
export * from './chat.js';
export * from './cloud-link.js';
export * from './cluster.js';
export * from './compare/compare-chart.js';
export * from './compare/compare-table.js';
export * from './compare/compare-view.js';
export * from './compare/compared-plot.js';
export * from './data-rows.js';
export * from './data-view.js';
export * from './deployment/canary.js';
export * from './deployment/deployment-form.js';
export * from './deployment/deployment-page.js';
export * from './deployment/deployment-table.js';
export * from './deployment/kept-requests.js';
export * from './done-watch.js';
export * from './evaluation/figures.js';
export * from './evaluation/gate.js';
export {
  deleteEvaluationQuestion,
  type EvaluationLine,
  evaluateHint,
  evaluationLine,
  evaluationList,
  evaluationTitle,
  NO_EVALUATIONS,
} from './evaluation/line.js';
export * from './evaluation/report.js';
export * from './evaluation/rows.js';
export * from './evaluation/terminal-rows.js';
export { identityLine } from './identity-line.js';
export * from './job/job-columns.js';
export * from './job/job-details.js';
export * from './job/job-edit.js';
export * from './job/job-list.js';
export * from './job/job-plot.js';
export * from './job/job-table.js';
export * from './job/job-view.js';
export type { LogEntry } from './job/log-entries.js';
export * from './job/log-view.js';
export * from './job/metadata.js';
export * from './job/nothing-yet.js';
export * from './job/row-losses.js';
export { plannedEnd, runSummary } from './job/run-summary.js';
export * from './job/samples.js';
export * from './job/scores.js';
export * from './job/settings.js';
export * from './job/step-answers.js';
export * from './job/sweep.js';
export * from './job/sweep-cells.js';
export * from './labels.js';
export * from './overview.js';
export * from './safe-text.js';
export * from './tabs.js';
/** @internal */
export { taskText } from './task-text.js';
export * from './text/device.js';
export * from './text/display-width.js';
export * from './text/format.js';
export * from './text/glyphs.js';
export * from './text/keyboard.js';
export * from './text/letters.js';
export * from './text/row-reading.js';
export * from './text/scroll.js';
export * from './text/spans.js';
export * from './text/terminal-text.js';
export * from './train-view.js';

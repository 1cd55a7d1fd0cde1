// The door of the view models: what both faces would compute, computed once. The faces only draw.
export * from './chart.js';
export * from './format.js';
export * from './job-list.js';
export * from './job-view.js';
export * from './labels.js';
export * from './places.js';
export * from './quick-start.js';
export type { MetricSeries } from './series.js';
export * from './statistics.js';

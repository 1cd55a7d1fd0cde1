// Checks a data set before anything trains on it.
export type { CheckEffort } from './choose-rows.js';
export type { FindingName } from './findings.js';
export { type CheckRequest, type OpenCheck, openCheck, type RowQuery } from './open-check.js';

// Checks a data set before anything trains on it.
export { type CheckRequest, type OpenCheck, openCheck, type RowQuery } from './open-check.js';

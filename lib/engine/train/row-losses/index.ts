// The loss of each row whenever it is trained on, recorded next to the run.
export { areRowLossesValid } from './read-entries.js';
export { type RowLossQuery, type RowLossReport, readRowLosses } from './read-row-losses.js';
export { type RowLoss, sumByRow } from './sum-by-row.js';
export { openRowLosses, type RowLosses } from './write-row-losses.js';

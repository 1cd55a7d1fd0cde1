// What a comparison of two candidates can tell: false alarms between equal ones, and how often a loss is found.
import { findableDifference } from '../../lib/evaluation/index.js';
import { simulate, type Truth } from './gate/simulate.js';
import type { Row } from './table.js';

export const name = 'comparisons of two candidates, 1,000 simulated of each kind';

const COMPARISONS = 1000;

export async function run(): Promise<Row[]> {
  const graded = { rows: 200, changed: 0.2, graded: true };
  const shares = [50, 100, 200].flatMap(rows => [
    describe({ rows, changed: 0.05, loss: 0 }),
    describe({ rows, changed: 0.2, loss: 0 }),
    describe({ rows, changed: 0.4, loss: 0 }),
    describe({ rows, changed: 0.2, loss: 0.05 }),
    describe({ rows, changed: 0.2, loss: 0.1 }),
    describe({ rows, changed: 0.2, loss: 0.15 }),
  ]);
  return [...shares, describe({ ...graded, loss: 0 }), describe({ ...graded, loss: 0.1 })];
}

function describe(truth: Truth): Row {
  const { better, worse } = simulate(truth, COMPARISONS);
  return {
    rows: truth.rows,
    scores: truth.graded ? 'graded' : 'right or wrong',
    'answers changed': percent(truth.changed),
    'true loss': truth.loss === 0 ? 'none' : `${100 * truth.loss} points`,
    better,
    worse,
    'found in 85 %': truth.graded
      ? ''
      : `${(100 * findableDifference(truth.changed, truth.rows)).toFixed(1)} points`,
  };
}

const percent = (share: number) => `${100 * share} %`;

// Rows of a matrix by their numbers: the embedding of tokens, and the rows that have a label.
import { gatherRows, scatterRows } from '../primitives.js';
import { type Operation, sum } from '../tape.js';
import type { Tensor } from '../tensor.js';

export const pickRows: Operation<{ table: Tensor }, { rows: Tensor }, null> = {
  name: 'pickRows',
  forward: (graph, { table }, { rows }) => ({ output: gatherRows(graph, table, rows), saved: null }),
  backward(graph, { inputs: { table }, options: { rows }, gradient, add }) {
    add('table', partial => sum(graph, partial, scatterRows(graph, table.shape, rows, gradient)));
  },
};

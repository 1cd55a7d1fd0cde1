// The commands for data sets.
import type { Command } from '../../command.js';

export const dataCommands: Command[] = [
  {
    name: 'data check',
    summary:
      "Check what a training would learn from a file, or from the trainer's data set; fails if it has errors",
    usage: '[PATH]',
    positionals: { min: 0, max: 1 },
    options: {
      finding: { type: 'string', value: 'NAME', summary: 'List the rows with this finding, such as cut' },
      row: { type: 'string', value: 'N', summary: 'Show the row with this number token by token' },
      limit: { type: 'string', value: 'N', summary: 'How many rows to list with --finding (default: 20)' },
      all: { type: 'boolean', summary: 'Check all rows of a large data set, not a sample' },
      measure: {
        type: 'boolean',
        summary: 'Train a few steps to measure how long the run will take, and its memory',
      },
    },
    load: () => import('../data/check.js'),
  },
];

// The commands for requests that endpoints keep.
import type { Command } from '../../command.js';
import { yesOption } from './jobs.js';

export const keptRequestCommands: Command[] = [
  {
    name: 'endpoints requests',
    summary: 'Show the requests that an endpoint keeps, or one of them; mark, correct or delete it',
    usage: 'SLUG [ID]',
    positionals: { min: 1, max: 2 },
    options: {
      mark: {
        type: 'string',
        choices: ['good', 'bad', 'corrected', 'none'],
        summary: 'Only answers with this mark, or without one',
      },
      last: { type: 'string', value: 'N', summary: 'How many requests, newest first (default: 20)' },
      good: { type: 'boolean', summary: 'With ID: mark the answer as good' },
      bad: { type: 'boolean', summary: 'With ID: mark the answer as bad' },
      unmark: { type: 'boolean', summary: 'With ID: take the mark back' },
      correct: {
        type: 'string',
        value: 'TEXT',
        summary: 'With ID: what should have been answered; - reads what is piped in',
      },
      delete: { type: 'boolean', summary: 'With ID: delete the request and its answer' },
      ...yesOption,
    },
    load: () => import('../endpoints/requests.js'),
  },
  {
    name: 'data from-requests',
    summary: 'Write the requests that an endpoint keeps as rows to train on: those marked good or corrected',
    usage: 'SLUG',
    positionals: { min: 1, max: 1 },
    options: {
      out: { type: 'string', value: 'FILE', summary: 'A new file for the rows (default: SLUG.jsonl)' },
      good: { type: 'boolean', summary: 'Only answers that were marked as good' },
      corrected: { type: 'boolean', summary: 'Only corrected answers' },
      all: { type: 'boolean', summary: 'All whole answers, except those that were marked as bad' },
    },
    load: () => import('../endpoints/from-requests.js'),
  },
];

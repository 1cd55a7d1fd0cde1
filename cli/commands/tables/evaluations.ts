// The commands that answer "is it better?".
import type { Command } from '../../command.js';
import { count, flag, text } from '../../options.js';
import { yesOption } from './jobs.js';

const outOption = { out: text('FILE', 'Also write a report in Markdown, for a pull request') };

export const evaluationCommands: Command[] = [
  {
    name: 'eval',
    summary:
      'Score a job, an endpoint or the base model on rows whose answers are known, and compare it with another',
    usage: 'JOB|SLUG|latest|base',
    options: {
      on: text(
        'ROWS',
        'File with input and output, messages, or prompt and completion; or hf:NAME on the Hub',
      ),
      against: text('TARGET', 'Compare with this one on the same rows: a job, an endpoint, latest or base'),
      score: text('NAME', "The score that decides (default: the task's main one)"),
      limit: count('Only the first N rows', 1),
      split: text('NAME', 'The split of a data set on the Hub'),
      'max-tokens': count('Longest answer in tokens (default: 512)', 1),
      ...outOption,
    },
    load: () => import('../evaluation/eval.js'),
  },
  {
    name: 'evals list',
    summary: 'List the evaluations of this project, newest first',
    options: {
      job: text('ID', "Only those of this job's adapters"),
      endpoint: text('SLUG', 'Only those of this endpoint'),
    },
    load: () => import('../evaluation/list.js'),
  },
  {
    name: 'evals show',
    summary: 'Show an evaluation: scores with intervals, the verdict, and the worst rows',
    usage: 'ID',
    options: {
      rows: count('How many rows (default: 10)', 1, 100),
      all: flag('In a comparison, also rows that both answered the same'),
      ...outOption,
    },
    load: () => import('../evaluation/show.js'),
  },
  {
    name: 'evals delete',
    summary: 'Delete an evaluation and its rows',
    usage: 'ID',
    options: yesOption,
    load: () => import('../evaluation/delete.js'),
  },
];

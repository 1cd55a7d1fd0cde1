// The commands that answer "is it better?".
import type { Command } from '../../command.js';
import { count, flag, path, paths, text } from '../../options.js';
import { stepOption, yesOption } from './jobs.js';

const outOption = { out: path('FILE', 'Also write a report in Markdown, for a pull request') };

const longestAnswer = count("Longest answer in tokens (default: 512, or what the trainer's method has)", 1);

export const evaluationCommands: Command[] = [
  {
    name: 'eval',
    summary:
      'Score a job, an endpoint or the base model on rows whose answers are known, and compare it with another',
    usage: 'JOB|SLUG|latest|base',
    options: {
      on: path(
        'ROWS',
        'File with input and output, messages, or prompt and completion; or hf:NAME on the Hub (default, for a trainer that learns from rewards: the rows that it holds out)',
      ),
      against: path(
        'TARGET',
        'Compare with this one on the same rows: a job, an endpoint, latest, base, or answers in a .jsonl file',
      ),
      score: text('NAME', "The score that decides (default: the task's main one)"),
      limit: count('Only the first N rows', 1),
      split: text('NAME', 'The split of a data set on the Hub'),
      'max-tokens': longestAnswer,
      ...outOption,
    },
    load: async () => (await import('../evaluation/eval.js')).run,
  },
  {
    name: 'ship',
    summary: 'Serve an adapter at an endpoint if it does not lose against what is served there now',
    usage: 'SLUG',
    options: {
      job: text('ID', 'The job: its final adapter, a checkpoint with ID:checkpoint:N, or latest'),
      ...stepOption,
      tests: paths('FILE', 'Which tests for weights have to pass; repeatable (default: all of the project)'),
      'no-tests': flag("Do not run the project's tests for weights"),
      on: path(
        'ROWS',
        "Rows to compare on, as in svc eval (default: those that the project's trainer holds out)",
      ),
      split: text('NAME', 'The split of a data set on the Hub'),
      score: text('NAME', "The score that decides (default: the task's main one)"),
      limit: count('Only the first N rows', 1),
      margin: text(
        'LOSS',
        'Ask for proof that it loses less than this, such as 2% (default: that no loss is found)',
      ),
      general: path(
        'FILE',
        "General rows, in place of svc's own; built-in asks those of a job with a task, too",
      ),
      'no-general': flag('Do not compare it with the base model on general rows'),
      canary: text('SHARE', 'Give it only a share of the requests first, such as 10%'),
      'dry-run': flag('Only say whether it may be served'),
      markdown: flag('Print the verdict as Markdown, for a pull request'),
      'max-tokens': longestAnswer,
    },
    load: async () => (await import('../ship.js')).run,
  },
  {
    name: 'evals list',
    summary: 'List the evaluations of this project, newest first',
    options: {
      job: text('ID', "Only those of this job's adapters"),
      endpoint: text('SLUG', 'Only those of this endpoint'),
    },
    load: async () => (await import('../evaluation/evaluations.js')).listEvaluations,
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
    load: async () => (await import('../evaluation/evaluations.js')).showEvaluation,
  },
  {
    name: 'evals delete',
    summary: 'Delete an evaluation and its rows',
    usage: 'ID',
    options: yesOption,
    load: async () => (await import('../evaluation/evaluations.js')).deleteEvaluation,
  },
];

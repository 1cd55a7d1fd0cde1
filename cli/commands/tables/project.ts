// The commands for projects, training, data sets and your identity.
import type { Command } from '../../command.js';
import { choice, count, flag, path, text, texts } from '../../options.js';
import { runLabelOptions } from './job-labels.js';
import { notifyOption } from './studio.js';

const runOptions = {
  name: text('TEXT', "What to call the run (default: the trainer's name)"),
  from: text(
    'JOB',
    "Go on from this job's adapter: its ID or the start of it, latest, or latest:NAME; for a checkpoint, with :checkpoint:STEP",
  ),
  set: texts(
    'NAME=VALUE',
    'Change a setting of the trainer for this run, such as learningRate=1e-3 or lora.r=8; repeatable',
  ),
  sweep: texts(
    'NAME=A,B',
    'Queue one run for each of these values; repeatable, for all combinations, up to 64',
  ),
  ...runLabelOptions,
  attach: text(
    'ID',
    'Attach to a job that this trainer started instead of starting a run; a job that waits for rewards continues',
  ),
};

export const projectCommands: Command[] = [
  {
    name: 'init',
    summary: 'Create a project with a sample trainer and data',
    usage: '[DIR]',
    options: {
      template: choice(
        ['task', 'triage', 'redaction', 'translate', 'blank'],
        'Template to start from (default: blank)',
      ),
    },
    load: async () => (await import('../init.js')).run,
  },
  {
    name: 'build',
    summary: 'Build the project for "svc start"',
    usage: '[ENTRY]',
    load: async () => (await import('../build.js')).run,
  },
  {
    name: 'start',
    summary: "Run the project's trainer and follow its job",
    usage: '[ENTRY]',
    options: { ...runOptions, ...notifyOption },
    load: async () => (await import('../start.js')).run,
  },
  {
    name: 'test',
    summary: "Run the project's tests for weights with its vitest",
    usage: '[FILE…]',
    mostArguments: 100,
    options: {
      job: text(
        'ID',
        'Test this job, whatever the tests name; ID@STEP is a checkpoint, and latest the newest job',
      ),
      step: count('Test the checkpoint at this step of --job'),
      endpoint: text('SLUG', 'Test what this endpoint serves'),
      base: flag('Test the base model'),
      watch: flag('Run the tests again when a file changes, and with each checkpoint that --job saves'),
      update: { ...flag('Update the snapshots of answers'), short: 'u' },
      reporter: texts('NAME', "One of vitest's reporters; repeatable"),
      junit: path('FILE', 'Write a JUnit report, too'),
    },
    load: async () => (await import('../test/test.js')).run,
  },
];

export const identityCommands: Command[] = [
  {
    name: 'login',
    summary: "Sign in with the cloud's identity provider",
    options: {
      device: flag('Show a code to enter in a browser on another machine'),
      'no-browser': flag('Print the URL instead of opening it'),
    },
    load: async () => (await import('../identity.js')).logIn,
  },
  {
    name: 'logout',
    summary: 'Sign out: end the session and remove its tokens from this machine',
    load: async () => (await import('../identity.js')).logOut,
  },
  {
    name: 'whoami',
    summary: 'Show your identity, cloud and project',
    load: async () => (await import('../identity.js')).showIdentity,
  },
  {
    name: 'link',
    summary: 'Link this folder to a project, if you are signed in',
    usage: 'ORG/PROJECT',
    load: async () => (await import('../identity.js')).link,
  },
];

export const dataCommands: Command[] = [
  {
    name: 'data check',
    summary:
      "Check what a training would learn from a file, or from the trainer's data set; fails if it has errors",
    usage: '[PATH]',
    options: {
      finding: text('NAME', 'List the rows with this finding, such as cut'),
      row: count('Show the row with this number token by token', 1),
      limit: count('How many rows to list with --finding (default: 20)', 1, 100),
      all: flag('Check all rows of a large data set, not a sample'),
      'no-ask': flag('Ask no teacher: fail if a distilled data set has no answers yet'),
      measure: flag('Train a few steps to measure how long the run will take, and its memory'),
    },
    load: async () => (await import('../data/check.js')).run,
  },
  {
    name: 'data rows',
    summary:
      "Write the rows of the trainer's data set as JSON lines, also those that it makes or that a teacher answers",
    options: {
      out: path('FILE', 'A new file for the rows'),
      'no-ask': flag('Ask no teacher: fail if a distilled data set has no answers yet'),
    },
    load: async () => (await import('../data/rows.js')).run,
  },
];

export const importCommands: Command[] = [
  {
    name: 'import openai',
    summary:
      'Move fine-tuning jobs from an OpenAI account: their data and results, a job in this project, and a trainer for each',
    usage: '[JOB…]',
    mostArguments: 1000,
    options: {
      list: flag('List the jobs of the account and import nothing'),
      answers: flag(
        "Also ask the fine-tuned models for their answers to the validation rows, at OpenAI's price",
      ),
      'base-url': text('URL', 'Address of the API (default: OPENAI_BASE_URL, or https://api.openai.com/v1)'),
      folder: path('DIR', 'Where to keep what is downloaded (default: openai)'),
      yes: flag('Import many jobs, or ask for answers, without asking first'),
    },
    load: async () => (await import('../import/openai.js')).run,
  },
];

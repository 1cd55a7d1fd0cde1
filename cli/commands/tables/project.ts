// The commands that create a project, build it and train, those for data sets, and those for your identity.
import type { Command, OptionTable } from '../../command.js';
import { notifyOption } from './studio.js';

const runOptions: OptionTable = {
  name: { type: 'string', value: 'TEXT', summary: "What to call the run (default: the trainer's name)" },
  set: {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE',
    summary:
      'Change a setting of the trainer for this run, such as learningRate=1e-3 or lora.r=8; repeatable',
  },
  sweep: {
    type: 'string',
    multiple: true,
    value: 'NAME=A,B',
    summary: 'Queue one run for each of these values; repeatable, for all combinations, up to 64',
  },
  tag: { type: 'string', multiple: true, value: 'TEXT', summary: 'Tag the run; repeatable' },
  note: { type: 'string', value: 'TEXT', summary: 'Add a note to the run' },
};

export const projectCommands: Command[] = [
  {
    name: 'init',
    summary: 'Create a project with a sample trainer and data',
    usage: '[DIR]',
    positionals: { min: 0, max: 1 },
    options: {
      template: {
        type: 'string',
        choices: ['triage', 'redaction', 'translate', 'blank'],
        summary: 'Template to start from (default: blank)',
      },
    },
    load: () => import('../init.js'),
  },
  {
    name: 'build',
    summary: 'Build the project for "svc start"',
    usage: '[ENTRY]',
    positionals: { min: 0, max: 1 },
    options: {},
    load: () => import('../build.js'),
  },
  {
    name: 'start',
    summary: "Run the project's trainer and follow its job",
    usage: '[ENTRY]',
    positionals: { min: 0, max: 1 },
    options: { ...runOptions, ...notifyOption },
    load: () => import('../start.js'),
  },
];

export const identityCommands: Command[] = [
  {
    name: 'login',
    summary: "Sign in with the cloud's identity provider",
    options: {
      device: { type: 'boolean', summary: 'Show a code to enter in a browser on another machine' },
      'no-browser': { type: 'boolean', summary: 'Print the URL instead of opening it' },
    },
    load: () => import('../login.js'),
  },
  {
    name: 'logout',
    summary: 'Sign out: end the session and remove its tokens from this machine',
    options: {},
    load: () => import('../logout.js'),
  },
  {
    name: 'whoami',
    summary: 'Show your identity, cloud and project',
    options: {},
    load: () => import('../whoami.js'),
  },
  {
    name: 'link',
    summary: 'Link this folder to a project, if you are signed in',
    usage: 'ORG/PROJECT',
    positionals: { min: 1, max: 1 },
    options: {},
    load: () => import('../link.js'),
  },
];

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

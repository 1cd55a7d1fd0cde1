// The commands that make a project, build it, and train.
import type { Command } from '../../command.js';

export const projectCommands: Command[] = [
  {
    name: 'init',
    summary: 'Begin a project: a trainer, and rows to train on',
    usage: '[DIR]',
    positionals: { min: 0, max: 1 },
    options: {
      template: {
        type: 'string',
        choices: ['triage', 'redaction', 'translate', 'blank'],
        summary: 'What it begins with; blank unless given',
      },
    },
    load: () => import('../init.js'),
  },
  {
    name: 'build',
    summary: 'Build the project, for "svc start" to run',
    usage: '[ENTRY]',
    positionals: { min: 0, max: 1 },
    options: {},
    load: () => import('../build.js'),
  },
  {
    name: 'start',
    summary: "Run the project's trainer, and follow it to its end",
    usage: '[ENTRY]',
    positionals: { min: 0, max: 1 },
    options: {},
    load: () => import('../start.js'),
  },
];

// The commands that create a project, build it and train.
import type { Command } from '../../command.js';

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
    options: {},
    load: () => import('../start.js'),
  },
];

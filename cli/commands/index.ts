// The table of commands. A command's code is loaded only when it is called, so `svc --help` loads none of it.
import type { Command } from '../command.js';
import { flag, path, text } from '../options.js';
import { cloudCommands } from './tables/cloud.js';
import { chatCommand, deploymentCommands, keptRequestCommands, keyCommands } from './tables/endpoints.js';
import { evaluationCommands } from './tables/evaluations.js';
import { adapterCommands, jobCommands } from './tables/jobs.js';
import { modelCommands } from './tables/models.js';
import { dataCommands, identityCommands, importCommands, projectCommands } from './tables/project.js';
import { studioCommands } from './tables/studio.js';

export const commands: Command[] = [
  ...studioCommands,
  ...projectCommands,
  ...dataCommands,
  ...jobCommands,
  ...adapterCommands,
  ...evaluationCommands,
  ...importCommands,
  ...deploymentCommands,
  ...keptRequestCommands,
  ...keyCommands,
  chatCommand,
  ...identityCommands,
  ...cloudCommands,
  ...modelCommands,
  {
    name: 'doctor',
    summary: 'Check this machine and project, and suggest fixes',
    usage: '[--ray [URL]]',
    options: {
      device: flag('Try the GPU, too, and print what it computes'),
      ray: flag("Check a Ray cluster, too (default: the local cloud's)"),
      'ray-token-file': path('FILE', "File with the cluster's token"),
      'advertise-url': text('URL', 'Where the cluster should reach the local cloud'),
    },
    load: async () => (await import('./doctor.js')).run,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish',
    usage: 'SHELL',
    argumentChoices: { 0: ['bash', 'zsh', 'fish'] },
    plain: true,
    load: async () => (await import('./completion.js')).completionOf(commands),
  },
  {
    name: 'help',
    summary: 'Show help for svc or for one command',
    usage: '[COMMAND]',
    mostArguments: 2,
    takesCommand: true,
    plain: true,
    load: async () => (await import('./help.js')).helpOn(commands),
  },
  {
    name: 'version',
    summary: 'Show the version',
    load: async () => (await import('./help.js')).showVersion,
  },
];

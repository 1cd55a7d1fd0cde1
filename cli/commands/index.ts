// The table of commands. A command's code is loaded only when it is called, so `svc --help` loads none of it.
import type { Command } from '../command.js';
import { cloudCommands } from './tables/cloud.js';
import { chatCommand, deploymentCommands, keptRequestCommands, keyCommands } from './tables/endpoints.js';
import { adapterCommands, jobCommands } from './tables/jobs.js';
import { dataCommands, identityCommands, projectCommands } from './tables/project.js';
import { studioCommands } from './tables/studio.js';

export const commands: Command[] = [
  ...studioCommands,
  ...projectCommands,
  ...dataCommands,
  ...jobCommands,
  ...adapterCommands,
  ...deploymentCommands,
  ...keptRequestCommands,
  ...keyCommands,
  chatCommand,
  ...identityCommands,
  ...cloudCommands,
  {
    name: 'doctor',
    summary: 'Check this machine and project, and suggest fixes',
    usage: '[--ray [URL]]',
    positionals: { min: 0, max: 1 },
    options: {
      ray: { type: 'boolean', summary: "Check a Ray cluster, too (default: the local cloud's)" },
      'ray-token-file': { type: 'string', value: 'FILE', summary: "File with the cluster's token" },
      'advertise-url': {
        type: 'string',
        value: 'URL',
        summary: 'Where the cluster should reach the local cloud',
      },
    },
    load: () => import('./doctor.js'),
  },
  {
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish',
    usage: 'SHELL',
    positionals: { min: 1, max: 1, choices: { 0: ['bash', 'zsh', 'fish'] } },
    plain: true,
    options: {},
    load: async () => (await import('./completion.js')).completionOf(commands),
  },
  {
    name: 'help',
    summary: 'Show help for svc or for one command',
    usage: '[COMMAND]',
    positionals: { min: 0, max: 2, isCommand: true },
    plain: true,
    options: {},
    load: async () => (await import('./help.js')).helpOn(commands),
  },
  {
    name: 'version',
    summary: 'Show the version',
    options: {},
    load: () => import('./version.js'),
  },
];

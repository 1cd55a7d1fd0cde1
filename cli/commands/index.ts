// The table of commands. A command's code is loaded only when it is called, so `svc --help` loads none of it.
import type { Command } from '../command.js';
import { adapterCommands } from './tables/adapters.js';
import { cloudCommands } from './tables/cloud.js';
import { dataCommands } from './tables/data.js';
import { chatCommand, deploymentCommands, keyCommands } from './tables/endpoints.js';
import { jobCommands } from './tables/jobs.js';
import { identityCommands, projectCommands } from './tables/project.js';
import { studioCommands } from './tables/studio.js';

export const commands: Command[] = [
  ...studioCommands,
  ...projectCommands,
  ...dataCommands,
  ...jobCommands,
  ...adapterCommands,
  ...deploymentCommands,
  ...keyCommands,
  chatCommand,
  ...identityCommands,
  ...cloudCommands,
  {
    name: 'doctor',
    summary: 'Check this machine and project, and suggest fixes',
    options: {},
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

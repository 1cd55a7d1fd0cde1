// The table of commands. A command's code is loaded when it is called, so that `svc --help` loads none of it.
import type { Command } from '../command.js';

export const commands: Command[] = [
  {
    name: 'doctor',
    summary: 'Check this machine and this project, and say what to do about what is wrong',
    options: {},
    load: () => import('./doctor.js'),
  },
  {
    name: 'help',
    summary: 'Show help, for all of svc or for one command',
    usage: '[COMMAND]',
    positionals: { min: 0, max: 2 },
    plain: true,
    options: {},
    load: () => import('./help.js'),
  },
  {
    name: 'version',
    summary: 'Show the version',
    options: {},
    load: () => import('./version.js'),
  },
];

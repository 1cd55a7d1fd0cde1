// Studio: `svc dev`, its dashboard alone, and the way to it for scripts.
import type { Command } from '../../command.js';

export const studioCommands: Command[] = [
  {
    name: 'dev',
    summary: 'Start Studio for this project, in the browser and in this terminal',
    options: {
      port: {
        type: 'string',
        value: 'N',
        summary: 'Listen on this port and no other; 4000 or the next free one',
      },
      open: { type: 'boolean', summary: 'Open the browser' },
      'no-tui': { type: 'boolean', summary: 'Print plain lines instead of the dashboard' },
      cwd: { type: 'string', value: 'DIR', summary: "The project's folder, instead of this one" },
    },
    plain: true,
    load: () => import('../dev.js'),
  },
  {
    name: 'watch',
    summary: 'Show the dashboard alone, for this project on its cloud; with an ID, that job',
    usage: '[ID]',
    positionals: { min: 0, max: 1 },
    options: {},
    plain: true,
    load: () => import('../watch.js'),
  },
  {
    name: 'api',
    summary: 'Call the API of the Studio that runs in this project',
    usage: 'METHOD PATH',
    positionals: { min: 2, max: 2 },
    options: {
      data: {
        type: 'string',
        value: 'JSON|@FILE|@-',
        summary: 'The body; @FILE reads a file, @- what is piped in',
      },
    },
    plain: true,
    load: () => import('../api.js'),
  },
];

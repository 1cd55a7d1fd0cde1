// The commands for Studio: `svc dev`, the standalone dashboard, and the API for scripts.
import type { Command } from '../../command.js';
import { flag, path, text, texts } from '../../options.js';

export const notifyOption = {
  notify: flag('Ring the bell and notify the terminal when a run ends'),
};

const dashboardOptions = {
  ...notifyOption,
  'no-mouse': flag('Leave the mouse to the terminal'),
  shell: flag('Let the : key run svc commands in the dashboard; those that ask first need --yes there'),
};

const allow = texts(
  'NAME',
  'What agents may do without asking: train, evaluate, test, cancel, publish, or all; repeatable',
);

export const studioCommands: Command[] = [
  {
    name: 'dev',
    summary: 'Start Studio for this project, in the browser and this terminal',
    options: {
      port: text('N', 'Listen on exactly this port (default: 4000 or the next free one)'),
      open: flag('Open the browser'),
      'no-tui': flag('Print plain lines instead of the dashboard'),
      cwd: path('DIR', 'Project folder (default: this one)'),
      allow,
      ...dashboardOptions,
    },
    plain: true,
    load: async () => (await import('../dev.js')).run,
  },
  {
    name: 'watch',
    summary: "Show only the dashboard, for this project's cloud; with an ID, that job",
    usage: '[ID]',
    options: dashboardOptions,
    plain: true,
    load: async () => (await import('../watch.js')).run,
  },
  {
    name: 'api',
    summary: "Call the API of this project's running Studio",
    usage: 'METHOD PATH',
    options: {
      data: text('JSON|@FILE|@-', 'Request body; @FILE reads a file, @- reads stdin'),
    },
    plain: true,
    load: async () => (await import('../api.js')).run,
  },
  {
    name: 'mcp',
    summary: 'Let an agent drive svc: a server of the Model Context Protocol on stdin and stdout',
    options: { allow },
    plain: true,
    load: async () => (await import('../../mcp/over-stdio.js')).run,
  },
];

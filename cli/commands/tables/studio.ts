// The commands for Studio: `svc dev`, its dashboard alone, and its API for scripts.
import type { Command, OptionTable } from '../../command.js';

export const notifyOption: OptionTable = {
  notify: { type: 'boolean', summary: 'Ring the bell and notify the terminal when a run ends' },
};

const dashboardOptions: OptionTable = {
  ...notifyOption,
  'no-mouse': { type: 'boolean', summary: 'Leave the mouse to the terminal' },
  shell: { type: 'boolean', summary: 'Let the : key run svc commands in the dashboard' },
};

export const studioCommands: Command[] = [
  {
    name: 'dev',
    summary: 'Start Studio for this project, in the browser and this terminal',
    options: {
      port: {
        type: 'string',
        value: 'N',
        summary: 'Listen on exactly this port (default: 4000 or the next free one)',
      },
      open: { type: 'boolean', summary: 'Open the browser' },
      'no-tui': { type: 'boolean', summary: 'Print plain lines instead of the dashboard' },
      cwd: { type: 'string', value: 'DIR', summary: 'Project folder (default: this one)' },
      ...dashboardOptions,
    },
    plain: true,
    load: () => import('../dev.js'),
  },
  {
    name: 'watch',
    summary: "Show only the dashboard, for this project's cloud; with an ID, that job",
    usage: '[ID]',
    positionals: { min: 0, max: 1 },
    options: dashboardOptions,
    plain: true,
    load: () => import('../watch.js'),
  },
  {
    name: 'api',
    summary: "Call the API of this project's running Studio",
    usage: 'METHOD PATH',
    positionals: { min: 2, max: 2 },
    options: {
      data: {
        type: 'string',
        value: 'JSON|@FILE|@-',
        summary: 'Request body; @FILE reads a file, @- reads stdin',
      },
    },
    plain: true,
    load: () => import('../api.js'),
  },
];

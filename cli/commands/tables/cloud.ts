// The commands for the local cloud.
import type { Command } from '../../command.js';
import { flag, path } from '../../options.js';
import { startOptions } from '../cloud/start-options.js';

export const dataOption = path('DIR', 'Data folder, if the cloud was started with one');

export const cloudCommands: Command[] = [
  {
    name: 'cloud start',
    summary: 'Start the local cloud, which trains and serves',
    options: startOptions,
    load: async () => (await import('../cloud/start.js')).run,
  },
  {
    name: 'cloud stop',
    summary: 'Stop the local cloud; running jobs continue at its next start',
    options: { data: dataOption },
    load: async () => (await import('../cloud/stop.js')).run,
  },
  {
    name: 'cloud status',
    summary: 'Show whether the local cloud is running, and what it holds',
    options: { data: dataOption },
    load: async () => (await import('../cloud/status.js')).run,
  },
  {
    name: 'cloud logs',
    summary: "Show the local cloud's log",
    options: { follow: flag('Keep printing new lines'), data: dataOption },
    load: async () => (await import('../cloud/logs.js')).run,
  },
  {
    name: 'cloud gc',
    summary: 'Delete unused files of the local cloud',
    options: { data: dataOption },
    load: async () => (await import('../cloud/gc.js')).run,
  },
  {
    name: 'cloud backup',
    summary: 'Back up the local cloud to a file',
    usage: 'FILE',
    options: { data: dataOption },
    load: async () => (await import('../cloud/backup.js')).backUp,
  },
  {
    name: 'cloud restore',
    summary: 'Restore the local cloud from a backup',
    usage: 'FILE',
    options: {
      replace: flag('Move existing data aside'),
      data: dataOption,
    },
    load: async () => (await import('../cloud/backup.js')).restore,
  },
];

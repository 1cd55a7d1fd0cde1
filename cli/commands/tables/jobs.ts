// The commands about training jobs.
import type { Command, OptionTable } from '../../command.js';

const oneJob = { usage: 'ID', positionals: { min: 1, max: 1 } };

/** Which adapter of a job is meant, where one is. */
export const stepOption: OptionTable = {
  step: { type: 'string', value: 'N', summary: 'Its checkpoint at this step, instead of its final adapter' },
};

export const jobCommands: Command[] = [
  {
    name: 'jobs list',
    summary: 'List the jobs of this project',
    options: {},
    load: () => import('../jobs/list.js'),
  },
  {
    name: 'jobs show',
    summary: 'Show one job',
    ...oneJob,
    options: {},
    load: () => import('../jobs/show.js'),
  },
  {
    name: 'jobs logs',
    summary: 'Show the events of a job',
    ...oneJob,
    options: {
      follow: { type: 'boolean', summary: 'Go on to its end' },
      after: { type: 'string', value: 'SEQ', summary: 'Only what comes after the event of this number' },
    },
    load: () => import('../jobs/logs.js'),
  },
  {
    name: 'jobs wait',
    summary: 'Wait for the end of a job; fails unless it completes',
    ...oneJob,
    options: {},
    load: () => import('../jobs/wait.js'),
  },
  {
    name: 'jobs cancel',
    summary: 'Cancel a job that waits or runs',
    ...oneJob,
    options: {},
    load: () => import('../jobs/cancel.js'),
  },
  {
    name: 'jobs delete',
    summary: 'Delete a finished job and its adapters',
    ...oneJob,
    options: {},
    load: () => import('../jobs/delete.js'),
  },
  {
    name: 'jobs download',
    summary: 'Download an adapter of a job',
    ...oneJob,
    options: {
      ...stepOption,
      out: { type: 'string', value: 'DIR', summary: 'The folder to put it in' },
    },
    load: () => import('../jobs/download.js'),
  },
];

// The commands for training jobs, and for adapters that were trained elsewhere.
import type { Command, OptionTable } from '../../command.js';
import { notifyOption } from './studio.js';

const oneJob = { usage: 'ID', positionals: { min: 1, max: 1 } };

export const stepOption: OptionTable = {
  step: {
    type: 'string',
    value: 'N',
    summary: 'Use the checkpoint at this step instead of the final adapter',
  },
};

export const yesOption: OptionTable = {
  yes: { type: 'boolean', summary: 'Delete without asking first' },
};

export const jobCommands: Command[] = [
  {
    name: 'jobs list',
    summary: 'List the jobs of this project',
    options: {
      status: {
        type: 'string',
        choices: ['queued', 'running', 'completed', 'failed', 'cancelled'],
        summary: 'Only jobs with this status',
      },
      tag: { type: 'string', multiple: true, value: 'TEXT', summary: 'Only jobs with this tag; repeatable' },
      group: { type: 'string', value: 'GROUP', summary: 'Only the runs of this sweep, compared' },
      sort: {
        type: 'string',
        choices: [
          'created',
          'name',
          'status',
          'duration',
          'loss',
          'eval-loss',
          'best-loss',
          'best-eval-loss',
          'best-score',
        ],
        summary: 'Sort by this (default: created, newest first)',
      },
      limit: { type: 'string', value: 'N', summary: 'Only the first N' },
    },
    load: () => import('../jobs/list.js'),
  },
  {
    name: 'jobs show',
    summary: 'Show a job',
    ...oneJob,
    options: {},
    load: () => import('../jobs/show.js'),
  },
  {
    name: 'jobs compare',
    summary: 'Compare 2 to 6 jobs: their results, and the settings in which they differ',
    usage: 'ID ID…',
    positionals: { min: 2, max: 6 },
    options: {},
    load: () => import('../jobs/compare.js'),
  },
  {
    name: 'jobs logs',
    summary: 'Show the events of a job',
    ...oneJob,
    options: {
      follow: { type: 'boolean', summary: 'Keep printing until the job ends' },
      after: { type: 'string', value: 'SEQ', summary: 'Only events after this number' },
    },
    load: () => import('../jobs/logs.js'),
  },
  {
    name: 'jobs rows',
    summary: 'Show the rows of a job that were learned worst',
    ...oneJob,
    options: {
      worst: { type: 'string', value: 'N', summary: 'How many rows (default: 20)' },
      by: {
        type: 'string',
        choices: ['last', 'first', 'mean', 'rise'],
        summary: 'Sort by the last, first or mean loss, or by how much it rose (default: last)',
      },
      rising: { type: 'boolean', summary: 'Only rows whose last loss is higher than their first' },
      step: { type: 'string', value: 'N', summary: 'Only the rows of this step, by their loss in it' },
    },
    load: () => import('../jobs/rows.js'),
  },
  {
    name: 'jobs samples',
    summary: "Show what each checkpoint answered to the job's samples",
    ...oneJob,
    options: { step: { type: 'string', value: 'N', summary: 'Only at this step' } },
    load: () => import('../jobs/samples.js'),
  },
  {
    name: 'jobs manifest',
    summary: "Show what a job's results depend on: options, data, model, software and machine",
    ...oneJob,
    options: {},
    load: () => import('../jobs/manifest.js'),
  },
  {
    name: 'jobs wait',
    summary: 'Wait for a job to end; fails unless it completes',
    ...oneJob,
    options: notifyOption,
    load: () => import('../jobs/wait.js'),
  },
  {
    name: 'jobs edit',
    summary: 'Rename a job, change its tags, or give it a note',
    ...oneJob,
    options: {
      name: { type: 'string', value: 'TEXT', summary: 'Its new name' },
      tag: { type: 'string', multiple: true, value: 'TEXT', summary: 'Add a tag; repeatable' },
      untag: { type: 'string', multiple: true, value: 'TEXT', summary: 'Remove a tag; repeatable' },
      note: { type: 'string', value: 'TEXT', summary: 'Its new note' },
      'no-note': { type: 'boolean', summary: 'Remove the note' },
    },
    load: () => import('../jobs/edit.js'),
  },
  {
    name: 'jobs cancel',
    summary: 'Cancel a queued or running job, or all runs of a sweep',
    usage: '[ID]',
    positionals: { min: 0, max: 1 },
    options: { group: { type: 'string', value: 'GROUP', summary: 'Cancel the runs of this sweep' } },
    load: () => import('../jobs/cancel.js'),
  },
  {
    name: 'jobs delete',
    summary: 'Delete a finished job and its adapters',
    ...oneJob,
    options: yesOption,
    load: () => import('../jobs/delete.js'),
  },
  {
    name: 'jobs download',
    summary: "Download a job's adapter: a folder in PEFT layout, a GGUF file, or merged into its base model",
    ...oneJob,
    options: {
      ...stepOption,
      out: { type: 'string', value: 'PATH', summary: 'Folder, or GGUF file, to save it as' },
      format: {
        type: 'string',
        choices: ['peft', 'gguf'],
        summary: "gguf: one file for llama.cpp's --lora (default: peft)",
      },
      merged: { type: 'boolean', summary: 'Save a whole model, with the adapter merged into the weights' },
      'base-model': {
        type: 'string',
        value: 'NAME',
        summary:
          "For gguf and merged: the job's base model, a folder or a Hub name, if it is not the local cloud's",
      },
    },
    load: () => import('../jobs/download.js'),
  },
  {
    name: 'verify',
    summary: 'Train a job again and compare the losses; fails if they differ',
    ...oneJob,
    options: { steps: { type: 'string', value: 'N', summary: 'Compare only the first N steps' } },
    load: () => import('../verify/verify.js'),
  },
];

export const adapterCommands: Command[] = [
  {
    name: 'adapters import',
    summary: 'Import an adapter that was trained elsewhere, from a folder in PEFT layout, as a finished job',
    usage: 'FOLDER',
    positionals: { min: 1, max: 1 },
    options: {
      name: { type: 'string', value: 'NAME', summary: "The job's name (default: the folder's)" },
      'same-base-model': {
        type: 'boolean',
        summary: "The base model that the adapter names is this cloud's under another name",
      },
    },
    load: () => import('../adapters/import.js'),
  },
];

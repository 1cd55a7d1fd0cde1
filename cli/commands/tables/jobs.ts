// The commands for training jobs and imported adapters.
import { EDITABLE_WORDS, JOB_SORTS, JOB_STATUSES } from '../../../lib/contract/index.js';
import type { Command } from '../../command.js';
import { choice, count, flag, path, text } from '../../options.js';
import { editOptions, filterOptions } from './job-labels.js';
import { notifyOption } from './studio.js';

const mergedGgufOptions = {
  quantize: choice(
    ['q8_0', 'q4_k_m'],
    "For a merged model as GGUF: round weights to 8 or about 5 bits (default: the base model's precision)",
  ),
  'base-model': path(
    'NAME',
    "Unless it stays as trained: the job's base model, as for svc cloud start, if it is not the local cloud's",
  ),
};

export const stepOption = {
  step: count('Use the checkpoint at this step instead of the final adapter'),
};

export const yesOption = {
  yes: flag('Delete without asking first. Scripts, pipes and --json are never asked'),
};

export const jobCommands: Command[] = [
  {
    name: 'jobs list',
    summary: 'List the jobs of this project',
    options: {
      status: choice(JOB_STATUSES, 'Only jobs with this status'),
      ...filterOptions,
      group: text('GROUP', 'Only the runs of this sweep, compared'),
      sort: choice(JOB_SORTS, 'Sort by this (default: created, newest first)'),
      limit: count('Only the first N', 1),
    },
    load: async () => (await import('../jobs/list.js')).run,
  },
  {
    name: 'jobs show',
    summary: 'Show a job',
    usage: 'ID',
    load: async () => (await import('../jobs/show.js')).showJob,
  },
  {
    name: 'jobs compare',
    summary: 'Compare 2 to 6 jobs: their results, and the settings in which they differ',
    usage: 'ID ID…',
    mostArguments: 6,
    load: async () => (await import('../jobs/compare.js')).run,
  },
  {
    name: 'jobs logs',
    summary: 'Show the events of a job',
    usage: 'ID',
    options: {
      follow: flag('Keep printing until the job ends'),
      after: { ...count('Only events after this number'), value: 'SEQ' },
    },
    load: async () => (await import('../jobs/logs.js')).printLogs,
  },
  {
    name: 'jobs rows',
    summary: 'Show the rows of a job that were learned worst',
    usage: 'ID',
    options: {
      worst: count('How many rows (default: 20)', 1),
      by: choice(
        ['last', 'first', 'mean', 'rise'],
        'Sort by the last, first or mean loss, or by how much it rose (default: last)',
      ),
      rising: flag('Only rows whose last loss is higher than their first'),
      step: count('Only the rows of this step, by their loss in it', 1),
    },
    load: async () => (await import('../jobs/rows.js')).run,
  },
  {
    name: 'jobs samples',
    summary: "Show what each checkpoint answered to the job's samples",
    usage: 'ID',
    options: { step: count('Only at this step') },
    load: async () => (await import('../jobs/answers.js')).showSamples,
  },
  {
    name: 'jobs answers',
    summary:
      'Show the best and the worst answers of a step with their rewards, of a run that learns from them',
    usage: 'ID',
    options: { step: count('Of this step (default: the last one)', 1) },
    load: async () => (await import('../jobs/answers.js')).showAnswers,
  },
  {
    name: 'jobs manifest',
    summary: "Show what a job's results depend on: options, data, model, software and machine",
    usage: 'ID',
    load: async () => (await import('../jobs/show.js')).showManifest,
  },
  {
    name: 'jobs wait',
    summary: 'Wait for a job to end; fails unless it completes',
    usage: 'ID',
    options: notifyOption,
    load: async () => (await import('../jobs/logs.js')).waitForEnd,
  },
  {
    name: 'jobs edit',
    summary: `Change a job's ${EDITABLE_WORDS}`,
    usage: 'ID',
    options: editOptions,
    load: async () => (await import('../jobs/edit.js')).edit,
  },
  {
    name: 'jobs cancel',
    summary: 'Cancel a queued or running job, or all runs of a sweep',
    usage: '[ID]',
    options: { group: text('GROUP', 'Cancel the runs of this sweep') },
    load: async () => (await import('../jobs/edit.js')).cancel,
  },
  {
    name: 'jobs delete',
    summary: 'Delete a finished job and its adapters',
    usage: 'ID',
    options: yesOption,
    load: async () => (await import('../jobs/edit.js')).deleteJob,
  },
  {
    name: 'jobs download',
    summary:
      "Download a job's adapter: as PEFT, mlx-lm or llama.cpp read it, merged into its base model, or as an npm package",
    usage: 'ID',
    options: {
      ...stepOption,
      out: path('PATH', 'Folder, or GGUF file of an adapter, to save it as'),
      format: choice(
        ['peft', 'gguf', 'mlx'],
        "gguf: one file for llama.cpp's --lora, or with --merged for llama.cpp and Ollama; mlx: for mlx-lm (default: peft)",
      ),
      merged: flag('Save a whole model, with the adapter merged into the weights'),
      ...mergedGgufOptions,
      npm: flag('Save an npm package that asks the adapter, with the types and scores of its task'),
      name: text('NAME', "For --npm: the package's name, such as @me/triage (default: from the job's name)"),
    },
    load: async () => (await import('../jobs/download.js')).run,
  },
  {
    name: 'jobs export',
    summary: "Give a job's measurements to other tools: TensorBoard, MLflow, or Weights & Biases",
    usage: 'ID',
    options: {
      tensorboard: flag('Write a TensorBoard event file'),
      out: path('DIR', "For --tensorboard: the run's folder (default: in runs)"),
      mlflow: text('URL', 'Send it to the MLflow server at this address; MLFLOW_TRACKING_TOKEN is its key'),
      wandb: text('URL', 'Send it to the Weights & Biases server at this address; WANDB_API_KEY is the key'),
      project: text(
        'NAME',
        "The experiment in MLflow, or the project in Weights & Biases (default: this project's name)",
      ),
    },
    load: async () => (await import('../jobs/export.js')).run,
  },
  {
    name: 'jobs push',
    summary: "Merge a job's adapter into its base model, and register the model with the local Ollama",
    usage: 'ID ollama:NAME',
    options: { ...stepOption, ...mergedGgufOptions },
    load: async () => (await import('../jobs/push.js')).run,
  },
  {
    name: 'verify',
    summary: 'Train a job again and compare the losses; fails if they differ',
    usage: 'ID',
    options: { steps: count('Compare only the first N steps', 1) },
    load: async () => (await import('../verify/verify.js')).run,
  },
];

export const adapterCommands: Command[] = [
  {
    name: 'adapters import',
    summary: 'Import an adapter that was trained elsewhere, from a folder in PEFT layout, as a finished job',
    usage: 'FOLDER',
    options: {
      name: text('NAME', "The job's name (default: the folder's)"),
      'same-base-model': flag("The base model that the adapter names is this cloud's under another name"),
      'enable-thinking': choice(['true', 'false'], 'What enableThinking was when it was trained'),
    },
    load: async () => (await import('../adapters/import.js')).run,
  },
];

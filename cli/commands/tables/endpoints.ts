// The commands that serve adapters: chat, endpoints, their keys, and the requests that they keep.
import type { Command, Option, OptionTable } from '../../command.js';
import { stepOption, yesOption } from './jobs.js';

const AUTH_MODES = ['fixed_api_key', 'none'];

const oneDeployment = { usage: 'SLUG', positionals: { min: 1, max: 1 } };

const adapterOptions: OptionTable = {
  job: {
    type: 'string',
    value: 'ID',
    summary: "Serve this job's final adapter, or a checkpoint with ID:checkpoint:N",
  },
  ...stepOption,
};

const followOption: OptionTable = {
  follow: {
    type: 'string',
    value: 'WHAT',
    summary: "Serve the best adapter of a job as it trains, best:ID, or a trainer's newest, latest:NAME",
  },
};

const offerOptions: OptionTable = {
  operations: {
    type: 'string',
    value: 'LIST',
    summary: 'What it offers besides chat, separated by commas, such as responses,models; or none',
  },
  cors: {
    type: 'string',
    value: 'ORIGINS',
    summary: 'Origins of web pages that may call it, separated by commas; or none',
  },
};

const keepOptions: OptionTable = {
  'keep-requests': {
    type: 'boolean',
    summary: 'Keep requests and answers on the cloud, to look at, mark and train on',
  },
  'keep-for': {
    type: 'string',
    value: 'DAYS',
    summary: 'How long kept requests are kept: days, or unlimited (default: 7)',
  },
};

export const chatCommand: Command = {
  name: 'chat',
  summary: 'Chat with an adapter, an endpoint or the base model; MESSAGE can be piped in',
  usage: '[MESSAGE]',
  positionals: { min: 0, max: 1 },
  options: {
    job: { type: 'string', value: 'ID', summary: 'Chat with the final adapter of this job' },
    ...stepOption,
    endpoint: { type: 'string', value: 'SLUG', summary: 'Chat with this endpoint, at its URL' },
    key: { type: 'string', value: 'KEY', summary: 'API key for the endpoint' },
    temperature: { type: 'string', value: 'N', summary: 'Randomness: 0 (deterministic) to 2' },
    'top-p': { type: 'string', value: 'N', summary: 'Top-p: sample from this probability mass' },
    'max-tokens': { type: 'string', value: 'N', summary: 'Maximum length of the answer' },
    seed: { type: 'string', value: 'N', summary: 'The same seed and messages give the same answer' },
    save: { type: 'string', value: 'FILE', summary: 'Append each answer as a row to train on (JSON Lines)' },
  },
  load: () => import('../chat.js'),
};

export const deploymentCommands: Command[] = [
  {
    name: 'endpoints list',
    summary: 'List the endpoints of this project',
    options: {},
    load: () => import('../endpoints/list.js'),
  },
  {
    name: 'endpoints create',
    summary: 'Publish an adapter or the base model',
    ...oneDeployment,
    options: {
      ...adapterOptions,
      'base-model': { type: 'string', value: 'NAME', summary: 'Serve this base model instead' },
      ...followOption,
      auth: {
        type: 'string',
        choices: AUTH_MODES,
        summary: 'Whether calls need a key (default: fixed_api_key)',
      },
      ...offerOptions,
      ...keepOptions,
    },
    load: () => import('../endpoints/create.js'),
  },
  {
    name: 'endpoints show',
    summary: 'Show an endpoint and how to call it',
    ...oneDeployment,
    options: {},
    load: () => import('../endpoints/show.js'),
  },
  {
    name: 'endpoints update',
    summary: 'Set what an endpoint offers, which web pages may call it, and whether it keeps requests',
    ...oneDeployment,
    options: {
      ...offerOptions,
      ...keepOptions,
      'no-keep-requests': {
        type: 'boolean',
        summary: 'Keep no more requests, and delete those that are kept',
      },
      ...yesOption,
    },
    load: async () => ({ run: (await import('../endpoints/update.js')).update }),
  },
  {
    name: 'endpoints enable',
    summary: 'Bring an endpoint back online',
    ...oneDeployment,
    options: {},
    load: async () => ({ run: (await import('../endpoints/update.js')).enable }),
  },
  {
    name: 'endpoints disable',
    summary: 'Take an endpoint offline',
    ...oneDeployment,
    options: {},
    load: async () => ({ run: (await import('../endpoints/update.js')).disable }),
  },
  {
    name: 'endpoints auth',
    summary: 'Set whether calls to an endpoint need a key',
    usage: 'SLUG MODE',
    positionals: { min: 2, max: 2, choices: { 1: AUTH_MODES } },
    options: {},
    load: async () => ({ run: (await import('../endpoints/update.js')).setAuthMode }),
  },
  {
    name: 'endpoints retarget',
    summary: 'Serve another adapter: final or checkpoint:N of the same job, or JOB_ID:final',
    usage: 'SLUG [TARGET]',
    positionals: { min: 1, max: 2 },
    options: { ...adapterOptions, ...followOption },
    load: async () => ({ run: (await import('../endpoints/update.js')).retarget }),
  },
  {
    name: 'endpoints rollback',
    summary: 'Serve what an endpoint served before, and follow nothing; a second rollback undoes the first',
    ...oneDeployment,
    options: {},
    load: async () => ({ run: (await import('../endpoints/update.js')).rollback }),
  },
  {
    name: 'endpoints delete',
    summary: 'Delete an endpoint; its slug stays reserved',
    ...oneDeployment,
    options: yesOption,
    load: () => import('../endpoints/delete.js'),
  },
];

const keysOf = {
  usage: '[SLUG]',
  positionals: { min: 0, max: 1 },
};

const project: Option = {
  type: 'boolean',
  summary: "The project's own keys, for all of its models, in place of an endpoint's",
};

export const keyCommands: Command[] = [
  {
    name: 'keys list',
    summary: 'List the keys of an endpoint, or of the project',
    ...keysOf,
    options: { project },
    load: () => import('../keys/list.js'),
  },
  {
    name: 'keys issue',
    summary: 'Issue a key, which is shown only once',
    ...keysOf,
    options: { label: { type: 'string', value: 'TEXT', summary: 'What the key is for' }, project },
    load: () => import('../keys/issue.js'),
  },
  {
    name: 'keys revoke',
    summary: 'Revoke a key',
    usage: '[SLUG] KEY_ID',
    positionals: { min: 1, max: 2 },
    options: { project, yes: { type: 'boolean', summary: 'Revoke without asking first' } },
    load: () => import('../keys/revoke.js'),
  },
];

export const keptRequestCommands: Command[] = [
  {
    name: 'endpoints requests',
    summary: 'Show the requests that an endpoint keeps, or one of them; mark, correct or delete it',
    usage: 'SLUG [ID]',
    positionals: { min: 1, max: 2 },
    options: {
      mark: {
        type: 'string',
        choices: ['good', 'bad', 'corrected', 'none'],
        summary: 'Only answers with this mark, or without one',
      },
      last: { type: 'string', value: 'N', summary: 'How many requests, newest first (default: 20)' },
      good: { type: 'boolean', summary: 'With ID: mark the answer as good' },
      bad: { type: 'boolean', summary: 'With ID: mark the answer as bad' },
      unmark: { type: 'boolean', summary: 'With ID: take the mark back' },
      correct: {
        type: 'string',
        value: 'TEXT',
        summary: 'With ID: what should have been answered; - reads what is piped in',
      },
      delete: { type: 'boolean', summary: 'With ID: delete the request and its answer' },
      ...yesOption,
    },
    load: () => import('../endpoints/requests.js'),
  },
  {
    name: 'data from-requests',
    summary: 'Write the requests that an endpoint keeps as rows to train on: those marked good or corrected',
    usage: 'SLUG',
    positionals: { min: 1, max: 1 },
    options: {
      out: { type: 'string', value: 'FILE', summary: 'A new file for the rows (default: SLUG.jsonl)' },
      good: { type: 'boolean', summary: 'Only answers that were marked as good' },
      corrected: { type: 'boolean', summary: 'Only corrected answers' },
      all: { type: 'boolean', summary: 'All whole answers, except those that were marked as bad' },
    },
    load: () => import('../endpoints/from-requests.js'),
  },
];

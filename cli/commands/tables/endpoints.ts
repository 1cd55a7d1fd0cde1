// The commands for chat, endpoints, keys and kept requests.
import { AUTH_MODES, KEPT_MARKS } from '../../../lib/contract/index.js';
import type { Command, OptionTable } from '../../command.js';
import { choice, count, flag, path, text } from '../../options.js';
import { stepOption, yesOption } from './jobs.js';

const adapterOptions: OptionTable = {
  job: text('ID', "Serve this job's final adapter, a checkpoint with ID:checkpoint:N, or latest"),
  ...stepOption,
};

const followOption: OptionTable = {
  follow: text(
    'WHAT',
    "Serve the best adapter of a job as it trains, best:ID, or a trainer's newest, latest:NAME",
  ),
};

const offerOptions: OptionTable = {
  operations: text(
    'LIST',
    'What it offers besides chat, separated by commas, such as responses,models; or none',
  ),
  cors: text('ORIGINS', 'Origins of web pages that may call it, separated by commas; or none'),
};

const gateOption: OptionTable = {
  'require-gate': flag('Follow only what has passed svc ship for this endpoint'),
};

const keepOptions: OptionTable = {
  'keep-requests': flag('Keep requests and answers on the cloud, to look at, mark and train on'),
  'keep-for': text('DAYS', 'How long kept requests are kept: days, or unlimited (default: 7)'),
};

export const chatCommand: Command = {
  name: 'chat',
  summary: 'Chat with an adapter, an endpoint or the base model; MESSAGE can be piped in',
  usage: '[MESSAGE]',
  options: {
    job: text('ID', 'Chat with the final adapter of this job, or latest'),
    ...stepOption,
    endpoint: text('SLUG', 'Chat with this endpoint, at its URL'),
    key: text('KEY', 'API key for the endpoint'),
    temperature: text('N', "Randomness: 0 (deterministic) to 2 (default: the base model's own, or 0.7)"),
    'top-p': text('N', 'Top-p: sample from this probability mass'),
    'max-tokens': count('Maximum length of the answer'),
    seed: count('The same seed and messages give the same answer'),
    save: path('FILE', 'Append each answer as a row to train on (JSON Lines)'),
  },
  load: async () => (await import('../chat.js')).run,
};

export const deploymentCommands: Command[] = [
  {
    name: 'endpoints list',
    summary: 'List the endpoints of this project',
    load: async () => (await import('../endpoints/list.js')).list,
  },
  {
    name: 'endpoints create',
    summary: 'Publish an adapter or the base model',
    usage: 'SLUG',
    options: {
      ...adapterOptions,
      'base-model': text('NAME', 'Serve this base model instead'),
      ...followOption,
      auth: choice(AUTH_MODES, 'Whether calls need a key (default: fixed_api_key)'),
      ...gateOption,
      ...offerOptions,
      ...keepOptions,
    },
    load: async () => (await import('../endpoints/create.js')).run,
  },
  {
    name: 'endpoints show',
    summary: 'Show an endpoint and how to call it',
    usage: 'SLUG',
    load: async () => (await import('../endpoints/list.js')).show,
  },
  {
    name: 'endpoints client',
    summary: 'Write a typed TypeScript client of an endpoint with a task, for projects without svc',
    usage: 'SLUG',
    load: async () => (await import('../endpoints/client.js')).run,
  },
  {
    name: 'endpoints update',
    summary:
      'Set what an endpoint offers, which web pages may call it, whether it keeps requests, and whether it follows only what has passed svc ship',
    usage: 'SLUG',
    options: {
      ...offerOptions,
      ...keepOptions,
      'no-keep-requests': flag('Stop keeping requests, and delete the kept ones'),
      ...gateOption,
      'no-require-gate': flag('Follow whatever is newest or best'),
      ...yesOption,
    },
    load: async () => (await import('../endpoints/update.js')).update,
  },
  {
    name: 'endpoints enable',
    summary: 'Bring an endpoint back online',
    usage: 'SLUG',
    load: async () => (await import('../endpoints/update.js')).enable,
  },
  {
    name: 'endpoints disable',
    summary: 'Take an endpoint offline: calls get 404 until it is enabled again',
    usage: 'SLUG',
    load: async () => (await import('../endpoints/update.js')).disable,
  },
  {
    name: 'endpoints auth',
    summary: 'Set whether calls to an endpoint need a key',
    usage: 'SLUG MODE',
    argumentChoices: { 1: AUTH_MODES },
    load: async () => (await import('../endpoints/update.js')).setAuthMode,
  },
  {
    name: 'endpoints retarget',
    summary: 'Serve another adapter: final or checkpoint:N of the same job, or JOB_ID:final',
    usage: 'SLUG [TARGET]',
    options: { ...adapterOptions, ...followOption },
    load: async () => (await import('../endpoints/update.js')).retarget,
  },
  {
    name: 'endpoints rollback',
    summary: 'End the canary, if there is one; otherwise restore the previous target and stop following',
    usage: 'SLUG',
    load: async () => (await import('../endpoints/update.js')).rollback,
  },
  {
    name: 'endpoints canary',
    summary: 'Let a second target answer a share of the requests, or end that',
    usage: 'SLUG [TARGET]',
    options: {
      ...adapterOptions,
      share: text('SHARE', 'Its share of the requests, such as 10% (default: 10%)'),
      off: flag('End the canary: the target gets all requests again'),
    },
    load: async () => (await import('../endpoints/canary.js')).canary,
  },
  {
    name: 'endpoints promote',
    summary: 'Make the canary the target; a rollback goes back',
    usage: 'SLUG',
    load: async () => (await import('../endpoints/canary.js')).promote,
  },
  {
    name: 'endpoints delete',
    summary: 'Delete an endpoint; its slug stays yours',
    usage: 'SLUG',
    options: yesOption,
    load: async () => (await import('../endpoints/update.js')).deleteEndpoint,
  },
];

const project = flag("The project's own keys, for all of its models, in place of an endpoint's");

export const keyCommands: Command[] = [
  {
    name: 'keys list',
    summary: 'List the keys of an endpoint, or of the project',
    usage: '[SLUG]',
    options: { project },
    load: async () => (await import('../keys.js')).listKeys,
  },
  {
    name: 'keys issue',
    summary: 'Issue a key, which is shown only once',
    usage: '[SLUG]',
    options: { label: text('TEXT', 'What the key is for'), project },
    load: async () => (await import('../keys.js')).issueKey,
  },
  {
    name: 'keys revoke',
    summary: 'Revoke a key',
    usage: '[SLUG] KEY_ID',
    options: { project, yes: flag('Revoke without asking first. Scripts, pipes and --json are never asked') },
    load: async () => (await import('../keys.js')).revokeKey,
  },
];

export const keptRequestCommands: Command[] = [
  {
    name: 'endpoints requests',
    summary: 'Show the requests that an endpoint keeps, or one of them; mark, correct or delete it',
    usage: 'SLUG [ID]',
    options: {
      mark: choice([...KEPT_MARKS, 'none'], 'Only answers with this mark, or without one'),
      last: count('How many requests, newest first (default: 20)', 1),
      good: flag('With ID: mark the answer as good'),
      bad: flag('With ID: mark the answer as bad'),
      unmark: flag('With ID: take the mark back'),
      correct: text('TEXT', 'With ID: what should have been answered; - reads what is piped in'),
      delete: flag('With ID: delete the request and its answer'),
      ...yesOption,
    },
    load: async () => (await import('../endpoints/requests.js')).run,
  },
  {
    name: 'data from-requests',
    summary: 'Write the requests that an endpoint keeps as rows to train on: those marked good or corrected',
    usage: 'SLUG',
    options: {
      out: path('FILE', 'A new file for the rows (default: SLUG.jsonl)'),
      good: flag('Only answers that were marked as good'),
      corrected: flag('Only corrected answers'),
      all: flag('All whole answers, except those that were marked as bad'),
    },
    load: async () => (await import('../endpoints/requests.js')).exportRows,
  },
];

// The commands about endpoints and their keys.
import type { Command, OptionTable } from '../../command.js';
import { stepOption } from './jobs.js';

const AUTH_MODES = ['fixed_api_key', 'none'];

const oneEndpoint = { usage: 'SLUG', positionals: { min: 1, max: 1 } };

const adapterOptions: OptionTable = {
  job: {
    type: 'string',
    value: 'ID',
    summary: 'Serve an adapter of this job: the final one, or as ID:checkpoint:N',
  },
  ...stepOption,
};

export const endpointCommands: Command[] = [
  {
    name: 'endpoints list',
    summary: 'List the endpoints of this project',
    options: {},
    load: () => import('../endpoints/list.js'),
  },
  {
    name: 'endpoints create',
    summary: 'Publish an adapter or the base model',
    ...oneEndpoint,
    options: {
      ...adapterOptions,
      'base-model': { type: 'string', value: 'NAME', summary: 'Serve this base model instead' },
      auth: {
        type: 'string',
        choices: AUTH_MODES,
        summary: 'Whether calls need a key; fixed_api_key unless given',
      },
    },
    load: () => import('../endpoints/create.js'),
  },
  {
    name: 'endpoints show',
    summary: 'Show one endpoint, and how to call it',
    ...oneEndpoint,
    options: {},
    load: () => import('../endpoints/show.js'),
  },
  {
    name: 'endpoints enable',
    summary: 'Let an endpoint answer again',
    ...oneEndpoint,
    options: {},
    load: () => import('../endpoints/enable.js'),
  },
  {
    name: 'endpoints disable',
    summary: 'Let an endpoint answer 404',
    ...oneEndpoint,
    options: {},
    load: () => import('../endpoints/disable.js'),
  },
  {
    name: 'endpoints auth',
    summary: 'Say whether calls of an endpoint need a key',
    usage: 'SLUG MODE',
    positionals: { min: 2, max: 2, choices: { 1: AUTH_MODES } },
    options: {},
    load: () => import('../endpoints/auth.js'),
  },
  {
    name: 'endpoints retarget',
    summary: 'Serve another adapter: final or checkpoint:N of the same job, or JOB_ID:final',
    usage: 'SLUG [TARGET]',
    positionals: { min: 1, max: 2 },
    options: adapterOptions,
    load: () => import('../endpoints/retarget.js'),
  },
  {
    name: 'endpoints delete',
    summary: 'Take an endpoint down; its slug stays reserved',
    ...oneEndpoint,
    options: {},
    load: () => import('../endpoints/delete.js'),
  },
];

export const keyCommands: Command[] = [
  {
    name: 'keys list',
    summary: 'List the keys of an endpoint',
    ...oneEndpoint,
    options: {},
    load: () => import('../keys/list.js'),
  },
  {
    name: 'keys issue',
    summary: 'Issue a key, which is shown this one time',
    ...oneEndpoint,
    options: { label: { type: 'string', value: 'TEXT', summary: 'What it is for' } },
    load: () => import('../keys/issue.js'),
  },
  {
    name: 'keys revoke',
    summary: 'Revoke a key',
    usage: 'SLUG KEY_ID',
    positionals: { min: 2, max: 2 },
    options: {},
    load: () => import('../keys/revoke.js'),
  },
];

// The commands of the local cloud.
import type { Command, Option } from '../../command.js';

const dataOption: Option = {
  type: 'string',
  value: 'DIR',
  summary: 'Its data folder, if it was started with one',
};

export const cloudCommands: Command[] = [
  {
    name: 'cloud start',
    summary: 'Start the local cloud, which trains and serves',
    options: {
      foreground: { type: 'boolean', summary: 'Run in this terminal instead of the background' },
      host: { type: 'string', value: 'HOST', summary: 'Listen on this address instead of localhost' },
      port: { type: 'string', value: 'N', summary: 'Listen on this port and no other' },
      domain: {
        type: 'string',
        value: 'NAME',
        summary: 'The public name; endpoints are one label before it',
      },
      data: { type: 'string', value: 'DIR', summary: 'Where its data lies, instead of $SVC_HOME/cloud' },
      'base-model': {
        type: 'string',
        value: 'MODEL',
        summary: 'A folder with a model, or its id on the Hub',
      },
      'base-weights': {
        type: 'string',
        value: 'FORM',
        summary: "How the base model's weights are held: f32, or int8, faster and smaller",
      },
      concurrency: { type: 'string', value: 'N', summary: 'How many jobs run at once; 1 unless given' },
      'tls-cert': { type: 'string', value: 'FILE', summary: 'The certificate, in PEM' },
      'tls-key': { type: 'string', value: 'FILE', summary: 'Its key, in PEM' },
      'behind-proxy': { type: 'boolean', summary: 'A proxy in front of it speaks TLS' },
      'oauth-issuer': {
        type: 'string',
        value: 'URL',
        summary: 'The identity provider that users sign in with',
      },
      'oauth-audience': { type: 'string', value: 'NAME', summary: 'What its access tokens must be for' },
      'oauth-client-id': {
        type: 'string',
        value: 'ID',
        summary: 'What svc is called there; svc unless given',
      },
      anonymous: { type: 'boolean', summary: 'Let anybody who reaches it use it without an account' },
      'no-anonymous': { type: 'boolean', summary: 'Let nobody use it without an account' },
      reset: {
        type: 'boolean',
        summary: 'Forget the options and the port of last time, which else still hold',
      },
    },
    load: () => import('../cloud/start.js'),
  },
  {
    name: 'cloud stop',
    summary: 'Stop the local cloud; running jobs go on at its next start',
    options: { data: dataOption },
    load: () => import('../cloud/stop.js'),
  },
  {
    name: 'cloud status',
    summary: 'Show whether the local cloud runs, and what it holds',
    options: { data: dataOption },
    load: () => import('../cloud/status.js'),
  },
  {
    name: 'cloud logs',
    summary: "Show the local cloud's log",
    options: { follow: { type: 'boolean', summary: 'Go on with what it writes' }, data: dataOption },
    load: () => import('../cloud/logs.js'),
  },
  {
    name: 'cloud gc',
    summary: 'Delete what nothing in the local cloud refers to any more',
    options: { data: dataOption },
    load: () => import('../cloud/gc.js'),
  },
  {
    name: 'cloud backup',
    summary: 'Back up everything the local cloud holds to one file',
    usage: 'FILE',
    positionals: { min: 1, max: 1 },
    options: { data: dataOption },
    load: () => import('../cloud/backup.js'),
  },
  {
    name: 'cloud restore',
    summary: 'Restore the local cloud from a backup',
    usage: 'FILE',
    positionals: { min: 1, max: 1 },
    options: {
      replace: { type: 'boolean', summary: 'Move data that is there aside' },
      data: dataOption,
    },
    load: () => import('../cloud/restore.js'),
  },
];

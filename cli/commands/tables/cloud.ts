// The commands for the local cloud.
import type { Command, Option } from '../../command.js';

const dataOption: Option = {
  type: 'string',
  value: 'DIR',
  summary: 'Data folder, if the cloud was started with one',
};

export const cloudCommands: Command[] = [
  {
    name: 'cloud start',
    summary: 'Start the local cloud, which trains and serves',
    options: {
      foreground: { type: 'boolean', summary: 'Run in this terminal instead of the background' },
      host: { type: 'string', value: 'HOST', summary: 'Listen on this address instead of localhost' },
      port: { type: 'string', value: 'N', summary: 'Listen on exactly this port' },
      domain: {
        type: 'string',
        value: 'NAME',
        summary: 'Public domain name; endpoints are its subdomains',
      },
      data: { type: 'string', value: 'DIR', summary: 'Data folder (default: $SVC_HOME/cloud)' },
      'base-model': {
        type: 'string',
        value: 'MODEL',
        summary: 'Model folder, or model ID on the Hub',
      },
      'base-weights': {
        type: 'string',
        value: 'FORM',
        summary: "Precision of the base model's weights: f32, or int8 (faster and smaller)",
      },
      concurrency: { type: 'string', value: 'N', summary: 'How many jobs run at once (default: 1)' },
      'tls-cert': { type: 'string', value: 'FILE', summary: 'TLS certificate, in PEM format' },
      'tls-key': { type: 'string', value: 'FILE', summary: 'Private key of the certificate, in PEM format' },
      'behind-proxy': { type: 'boolean', summary: 'A proxy in front handles TLS' },
      'oauth-issuer': {
        type: 'string',
        value: 'URL',
        summary: 'Identity provider that users sign in with',
      },
      'oauth-audience': {
        type: 'string',
        value: 'NAME',
        summary: 'Audience that its access tokens must have',
      },
      'oauth-client-id': {
        type: 'string',
        value: 'ID',
        summary: 'Client ID of svc there (default: svc)',
      },
      anonymous: { type: 'boolean', summary: 'Let anyone who can reach it use it without an account' },
      'no-anonymous': { type: 'boolean', summary: 'Require an account' },
      reset: {
        type: 'boolean',
        summary: 'Reset saved options and port',
      },
    },
    load: () => import('../cloud/start.js'),
  },
  {
    name: 'cloud stop',
    summary: 'Stop the local cloud; running jobs continue at its next start',
    options: { data: dataOption },
    load: () => import('../cloud/stop.js'),
  },
  {
    name: 'cloud status',
    summary: 'Show whether the local cloud is running, and what it holds',
    options: { data: dataOption },
    load: () => import('../cloud/status.js'),
  },
  {
    name: 'cloud logs',
    summary: "Show the local cloud's log",
    options: { follow: { type: 'boolean', summary: 'Keep printing new lines' }, data: dataOption },
    load: () => import('../cloud/logs.js'),
  },
  {
    name: 'cloud gc',
    summary: 'Delete unused files of the local cloud',
    options: { data: dataOption },
    load: () => import('../cloud/gc.js'),
  },
  {
    name: 'cloud backup',
    summary: 'Back up the local cloud to a file',
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
      replace: { type: 'boolean', summary: 'Move existing data aside' },
      data: dataOption,
    },
    load: () => import('../cloud/restore.js'),
  },
];

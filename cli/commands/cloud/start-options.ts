// The options of `svc cloud start`. Loaded with the table of commands, so it imports nothing.
import type { OptionTable } from '../../command.js';

export const startOptions: OptionTable = {
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
    summary: "Precision of the base model's weights: auto (the faster one here), f32 or int8",
  },
  memory: {
    type: 'string',
    value: 'SIZE',
    summary: "Memory for chats, with the model's weights, such as 4GB (default: a third)",
  },
  concurrency: { type: 'string', value: 'N', summary: 'How many jobs run at once (default: 1)' },
  ray: { type: 'string', value: 'URL', summary: 'Run jobs on the Ray cluster with this dashboard' },
  'ray-token-file': { type: 'string', value: 'FILE', summary: "File with the cluster's token" },
  'advertise-url': {
    type: 'string',
    value: 'URL',
    summary: 'Where the cluster reaches this cloud (default: its own URL)',
  },
  'ray-autoscaling': { type: 'boolean', summary: 'The cluster adds nodes for jobs that wait' },
  'ray-serve': {
    type: 'string',
    value: 'URL',
    summary: 'Answer chats on the cluster, through Ray Serve at this address, such as http://head:8000',
  },
  'ray-replicas': {
    type: 'string',
    value: 'MIN..MAX',
    summary: 'How many replicas answer, by how much they are asked (default: 1..4)',
  },
  'ray-replica-cpus': { type: 'string', value: 'N', summary: 'CPUs for each replica (default: 1)' },
  vllm: {
    type: 'string',
    value: 'URL',
    summary: 'Answer chats with the vLLM at this address, such as http://localhost:8000',
  },
  'vllm-token-file': { type: 'string', value: 'FILE', summary: 'File with its API key' },
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
};

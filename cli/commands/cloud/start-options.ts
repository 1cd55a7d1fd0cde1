// The options of `svc cloud start`. Loaded with the table of commands, so it imports nothing else.
import type { OptionTable } from '../../command.js';
import { flag, path, text } from '../../options.js';

export const startOptions: OptionTable = {
  foreground: flag('Run in this terminal instead of the background'),
  host: text('HOST', 'Listen on this address instead of localhost'),
  port: text('N', 'Listen on exactly this port, at later starts too'),
  domain: text('NAME', 'Public domain name; endpoints are its subdomains'),
  data: path('DIR', 'Data folder (default: $SVC_HOME/cloud)'),
  'base-model': path(
    'MODEL',
    'Model folder, GGUF file, ollama:NAME, lmstudio:NAME, or ID on the Hub, perhaps with :FILE.gguf',
  ),
  'base-weights': text(
    'FORM',
    "Precision of the base model's weights: auto (int8 if it is faster here and nearly as exact), f32, int8, f16 on a GPU, or nf4 with PyTorch",
  ),
  device: text('DEVICE', 'What runs and chats compute on: auto (the faster one here), cpu or gpu'),
  memory: text('SIZE', "Memory for chats, with the model's weights, such as 4GB (default: a third)"),
  torch: path(
    'PYTHON',
    'Train with PyTorch in this Python, or auto to find one, install to make one, off to stop using it',
  ),
  'store-for': text('HOURS', 'How long responses are stored for their callers (default: 24)'),
  'no-store': flag('Store no responses'),
  concurrency: text('N', 'How many jobs run at once (default: 1)'),
  ray: text('URL', 'Run jobs on the Ray cluster with this dashboard'),
  'ray-token-file': path('FILE', "File with the cluster's token"),
  'advertise-url': text('URL', 'Where the cluster reaches this cloud (default: its own URL)'),
  'ray-autoscaling': flag('The cluster adds nodes for jobs that wait'),
  'ray-serve': text(
    'URL',
    'Answer chats on the cluster, through Ray Serve at this address, such as http://head:8000',
  ),
  'ray-replicas': text('MIN..MAX', 'Number of replicas, scaled with load (default: 1..4)'),
  'ray-replica-cpus': text('N', 'CPUs for each replica (default: 1)'),
  vllm: text('URL', 'Answer chats with the vLLM at this address, such as http://localhost:8000'),
  'vllm-token-file': path('FILE', 'File with its API key'),
  'tls-cert': path('FILE', 'TLS certificate, in PEM format'),
  'tls-key': path('FILE', 'Private key of the certificate, in PEM format'),
  'behind-proxy': flag('A proxy in front handles TLS'),
  'oauth-issuer': text('URL', 'Identity provider that users sign in with'),
  'oauth-audience': text('NAME', 'Audience that its access tokens must have'),
  'oauth-client-id': text('ID', 'Client ID of svc there (default: svc)'),
  anonymous: flag('Let anyone who can reach it use it without an account'),
  'no-anonymous': flag('Require an account'),
  reset: flag('Reset saved options and port'),
};

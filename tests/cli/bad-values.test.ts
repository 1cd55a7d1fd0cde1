// Bad values: of every option of every command, one that cannot be right is a usage error, and nobody is called for it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commands } from '../../cli/commands/index.js';
import { openRemoteProject, type RemoteProject } from '../support/remote-project.js';
import { callCli } from './support/terminal.js';

/** One for each option that has such; what a name or a path means is only known where it is looked for. */
const BAD: Readonly<Record<string, string | null>> = {
  'advertise-url': 'alone',
  after: '-1',
  auth: 'open',
  by: 'color',
  'base-model': null,
  'base-weights': 'int4',
  memory: 'lots',
  concurrency: '0',
  correct: null,
  cors: '*',
  cwd: null,
  data: null,
  domain: 'no_domain!',
  endpoint: null,
  finding: 'sad',
  follow: 'newest',
  format: 'onnx',
  group: 'the first',
  host: '8.8.8.8',
  job: 'a:b:c',
  'keep-for': '0',
  key: null,
  label: ' ',
  last: '0',
  limit: '0',
  mark: 'sad',
  'max-tokens': '0',
  name: ' ',
  note: 'x'.repeat(2001),
  'oauth-audience': 'alone',
  'oauth-client-id': null,
  'oauth-issuer': 'alone',
  operations: 'chat,images',
  out: null,
  save: null,
  port: '65536',
  ray: 'head:8265',
  'ray-replica-cpus': 'alone',
  'ray-replicas': 'alone',
  'ray-serve': 'alone',
  'ray-token-file': 'alone',
  row: '0',
  seed: '1.5',
  set: 'lora.r',
  sort: 'color',
  status: 'sad',
  sweep: 'lora.r',
  tag: ' ',
  untag: ' ',
  step: '-1',
  steps: '0',
  temperature: '5',
  template: 'nope',
  'tls-cert': 'alone',
  'tls-key': 'alone',
  'top-p': '1.1',
  vllm: 'localhost:8000',
  'vllm-token-file': 'alone',
  worst: '0',
};

/** What each command needs besides. */
const ARGUMENTS: Readonly<Record<string, string[]>> = {
  api: ['POST', '/api/train'],
  'adapters import': ['folder'],
  chat: ['Hi'],
  'data from-requests': ['demo'],
  'endpoints create': ['demo'],
  'endpoints requests': ['demo', '1a2b'],
  'endpoints retarget': ['demo'],
  'endpoints update': ['demo'],
  'keys issue': ['demo'],
  'jobs edit': ['1a2b'],
  'jobs logs': ['1a2b'],
  'jobs download': ['1a2b'],
  'jobs rows': ['1a2b'],
  verify: ['1a2b'],
};

const OPTIONS = commands.flatMap(({ name, options }) =>
  Object.entries(options)
    .filter(([, { type }]) => type === 'string')
    .map(([option]) => ({ name, option, bad: name === 'api' ? 'no JSON' : BAD[option] })),
);

let project: RemoteProject;
beforeAll(async () => {
  project = await openRemoteProject();
  await project.link();
});
afterAll(() => project.close());

async function expectUsageError(name: string, option: string, value: string): Promise<void> {
  await expectRefused([...name.split(' '), ...(ARGUMENTS[name] ?? []), `--${option}=${value}`]);
}

async function expectRefused(argv: string[]): Promise<void> {
  const before = project.cloud.calls.length;
  const { exitCode, stdout, stderr } = await callCli(argv, project);
  expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(/\nRun "svc help [a-z -]+" for usage\.\n$/);
  expect(project.cloud.calls.slice(before)).toEqual([]);
}

it('are known of every option', () => {
  expect(OPTIONS.filter(({ bad }) => bad === undefined)).toEqual([]);
});

it.each(OPTIONS)('svc $name refuses --$option without a value', ({ name, option }) =>
  expectUsageError(name, option, ''),
);

it.each(OPTIONS.filter(({ bad }) => bad))('svc $name refuses --$option=$bad', ({ name, option, bad }) =>
  expectUsageError(name, option, bad!),
);

it.each([
  [['endpoints', 'create', 'Bad_Slug', '--base-model', 'svc/tiny']],
  [['endpoints', 'create', 'a', '--base-model', 'svc/tiny']],
  [['endpoints', 'auth', 'demo', 'open']],
  [['link', 'acme']],
  [['completion', 'pwsh']],
  [['api', 'JUMP', '/api/jobs']],
  [['api', 'GET', 'api/jobs']],
  [['chat', '']],
])('%j is refused', argv => expectRefused(argv));

it.each(['dev', 'cloud start'])('svc %s refuses a --port that nobody can call', name =>
  expectUsageError(name, 'port', '6000'),
);

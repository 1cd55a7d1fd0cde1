// What cannot be right is a usage error, and nobody is called for it: a bad value of every option of every command, and what
// cannot stand together.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commands } from '../../cli/commands/index.js';
import { jobFieldsWith } from '../../lib/contract/index.js';
import { openRemoteProject, type RemoteProject } from '../support/remote-project.js';
import { callCli } from './support/terminal.js';

/** What a name or a path means is only known where it is looked for. */
const ANY =
  'against base-model base-url correct cwd data endpoint folder general junit key oauth-client-id on out reporter save score split tests torch'.split(
    ' ',
  );
/** They go with others. */
const ALONE = [
  ...'advertise-url oauth-audience oauth-issuer ray-replica-cpus ray-replicas ray-serve'.split(' '),
  ...'ray-token-file tls-cert tls-key vllm-token-file'.split(' '),
];
const TYPED: Readonly<Record<string, string>> = {
  ...toRecord(
    'after=-1 allow=nothing auth=open by=color base-weights=int4 device=tpu memory=lots concurrency=0 cors=* domain=no_domain!',
  ),
  ...toRecord(
    'finding=sad follow=newest format=onnx host=8.8.8.8 job=a:b:c keep-for=0 last=0 limit=0 mark=sad mlflow=localhost:5000',
  ),
  ...toRecord(
    'enable-thinking=maybe max-tokens=0 operations=chat,images port=65536 quantize=q3_k ray=head:8265 row=0 rows=0 seed=1.5 set=lora.r sort=color',
  ),
  ...toRecord(
    'canary=0% margin=0 share=100% status=sad store-for=0 sweep=lora.r step=-1 steps=0 temperature=5 template=nope top-p=1.1 vllm=localhost:8000 wandb=ftp://host',
  ),
  ...{
    worst: '0',
    from: ' ',
    attach: ' ',
    group: 'the first',
    label: ' ',
    project: ' ',
    untag: ' ',
  },
  ...Object.fromEntries(jobFieldsWith('edit').map(({ word, edit }) => [word, 'x'.repeat(edit.longest + 1)])),
};
function toRecord(pairs: string): Record<string, string> {
  return Object.fromEntries(pairs.split(' ').map(pair => pair.split('=')));
}

/** What each command needs besides. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  api: 'POST /api/train',
  'adapters import': 'folder',
  chat: 'Hi',
  eval: 'latest',
  'evals show': '1a2b',
  'data from-requests': 'demo',
  'endpoints canary': 'demo',
  'endpoints create': 'demo',
  'endpoints requests': 'demo 1a2b',
  'endpoints retarget': 'demo',
  'endpoints update': 'demo',
  'keys issue': 'demo',
  'jobs edit': '1a2b',
  'jobs logs': '1a2b',
  'jobs download': '1a2b',
  'jobs export': '1a2b',
  'jobs push': '1a2b ollama:triage',
  'jobs answers': '1a2b',
  'jobs rows': '1a2b',
  ship: 'demo --job=1a2b',
  verify: '1a2b',
};

function badValueOf(command: string, option: string): string | null | undefined {
  if (command === 'api') return 'no JSON';
  if (ANY.includes(option)) return null;
  return ALONE.includes(option) ? 'alone' : TYPED[option];
}

const OPTIONS = commands.flatMap(({ name, options = {} }) =>
  Object.keys(options)
    .filter(option => options[option]!.type === 'string')
    .map(option => ({ name, option, bad: badValueOf(name, option) })),
);

let project: RemoteProject;
beforeAll(async () => {
  project = await openRemoteProject();
  await project.link();
});
afterAll(() => project.close());

async function expectRefused(argv: string[], complaint = ''): Promise<void> {
  const before = project.cloud.calls.length;
  const { exitCode, stdout, stderr } = await callCli(argv, project);
  expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(complaint);
  expect(stderr).toMatch(/\nRun "svc help [a-z -]+" for usage\.\n$/);
  expect(project.cloud.calls.slice(before)).toEqual([]);
}

it('are known of every option', () => {
  expect(OPTIONS.filter(({ bad }) => bad === undefined)).toEqual([]);
});

it.each([
  ...OPTIONS.map(known => ({ ...known, bad: '' })),
  ...OPTIONS.filter(({ bad }) => bad),
  ...['dev', 'cloud start'].map(name => ({ name, option: 'port', bad: '6000' })),
])('svc $name refuses --$option=$bad', async ({ name, option, bad }) => {
  const words = ARGUMENTS[name] === undefined ? name : `${name} ${ARGUMENTS[name]}`;
  await expectRefused([...words.split(' '), `--${option}=${bad}`]);
});

const CREATE = 'endpoints create demo';
const KEYS_OF = 'name an endpoint, or use "--project"';
const START = 'cloud start';

it.each<[string | string[], string]>([
  ['endpoints create Bad_Slug --base-model svc/tiny', 'Bad_Slug'],
  ['endpoints create a --base-model svc/tiny', ''],
  [CREATE, 'specify what to publish: "--job ID", "--base-model NAME" or "--follow WHAT".'],
  [`${CREATE} --job 1a2b --base-model b`, 'specify what to publish'],
  [`${CREATE} --base-model b --step 3`, 'option "--step" requires "--job".'],
  [`${CREATE} --follow latest:triage --step 3`, 'option "--step" requires "--job".'],
  ['endpoints retarget demo --follow best:1a2b --step 3', 'option "--step" requires "--job".'],
  ['endpoints retarget demo final --step 3', 'option "--step" requires "--job".'],
  ['endpoints canary demo --share 10% --step 3', 'option "--step" requires "--job".'],
  ['endpoints canary demo final --step 3', 'option "--step" requires "--job".'],
  ['endpoints canary demo --off --step 3', 'option "--step" requires "--job".'],
  [`${CREATE} --job 1a2b --step x`, 'option "--step" must be a whole number.'],
  [
    `${CREATE} --job 1a2b:latest`,
    'option "--job" must be ID, ID:final, ID:checkpoint:N, latest or latest:NAME',
  ],
  [
    `${CREATE} --job 1a2b:checkpoint:`,
    'option "--job" must be ID, ID:final, ID:checkpoint:N, latest or latest:NAME',
  ],
  [`${CREATE} --job 1a2b:checkpoint:4 --step 4`, 'only ID and latest can be combined with "--step".'],
  [`${CREATE} --job 1a2b --auth keys`, 'option "--auth" must be fixed_api_key or none, not "keys".'],
  ['endpoints auth demo open', ''],
  [
    'endpoints update demo',
    'specify what to change: "--operations LIST", "--cors ORIGINS", "--keep-requests",',
  ],
  ['endpoints update demo --operations chats', 'the operation "chats" must be one of `chat`, '],
  [
    'endpoints update demo --cors https://ok.example,http://app.example.com/x',
    'not `http://app.example.com/x`.',
  ],
  [
    `endpoints update demo --cors ${Array(21).fill('https://a.example').join(',')}`,
    'option "--cors" must have at most 20 entries.',
  ],
  ['endpoints update demo --keep-requests --no-keep-requests', ''],
  ['endpoints update demo --require-gate --no-require-gate', ''],
  ['endpoints retarget demo final --job x', 'specify what to serve: TARGET, "--job ID" or "--follow WHAT".'],
  [
    'endpoints retarget demo --follow newest',
    '"--follow" must be best:JOB_ID or latest:TRAINER, not "newest".',
  ],
  [
    'endpoints retarget demo --follow best:',
    '"--follow" must be best:JOB_ID or latest:TRAINER, not "best:".',
  ],
  ['endpoints requests demo --delete', 'specify the ID'],
  ['endpoints requests demo 5a2b --delete --bad', 'use one of'],
  ['endpoints requests demo --good', 'specify the ID'],
  ['endpoints requests demo 5a2b --good --bad', 'use one of'],
  [['endpoints', 'requests', 'demo', '5a2b', '--correct', ' '], 'must not be empty'],
  ['data from-requests demo --all --good', ''],
  ['keys list', KEYS_OF],
  ['keys list demo --project', '"--project" stands in place of an endpoint.'],
  ['keys issue demo', ''],
  ['keys issue --label x', KEYS_OF],
  ['keys issue demo --project --label x', '"--project" stands in place of an endpoint.'],
  ['keys revoke demo id --project', 'specify one key by its ID.'],
  ['jobs compare aa', ''],
  ['jobs rows 1a2b --step 1 --by mean', '"--step" cannot be combined with "--by"'],
  ['jobs cancel', ''],
  ['jobs edit 1a2b', 'say what to change, such as --name, --tag'],
  [['jobs', 'edit', '1a2b', '--name', ' '], 'option "--name" must have at least 1 character.'],
  [['jobs', 'list', '--tag', ' '], 'option "--tag" must have at least 1 character.'],
  [`jobs edit 1a2b --tag ${'x'.repeat(51)}`, 'a tag must have at most 50 characters.'],
  ['jobs edit 1a2b --tag a,b', 'a tag must not contain commas.'],
  ['start --tag a,b', 'option "--tag" must not contain commas.'],
  ['jobs edit 1a2b --note a --no-note', 'cannot be combined'],
  ['jobs download 1a2b --merged --format mlx', '"--merged" cannot be combined with "--format mlx"'],
  [
    'jobs download 1a2b --format gguf --quantize q8_0',
    '"--quantize" requires "--format gguf" and "--merged"',
  ],
  ['jobs download 1a2b --merged --format gguf --out a.gguf', 'option "--out" must be a folder'],
  ['jobs download 1a2b --base-model x', 'option "--base-model" requires "--merged", "--format gguf" or'],
  ['jobs push 1a2b', 'missing argument: ID ollama:NAME.'],
  ['jobs push 1a2b triage', '"triage" is not a name such as ollama:triage'],
  ['jobs push 1a2b ollama:../x', '"ollama:../x" is not a name such as ollama:triage'],
  [`adapters import Mine --name ${'x'.repeat(101)}`, '--name'],
  ['chat', 'missing MESSAGE: nothing was piped in.'],
  ['chat --json', 'missing MESSAGE: nothing was piped in.'],
  ['chat ', 'MESSAGE is empty.'],
  [['chat', ' '], 'MESSAGE is empty.'],
  ['chat --temperature 3 Hi', 'option "--temperature" must be at most 2.'],
  ['chat --temperature=-1 Hi', 'option "--temperature" must be at least 0.'],
  ['chat --temperature hot Hi', 'option "--temperature" must be a number.'],
  ['chat --endpoint demo --job x Hi', 'cannot be combined with "--job" or "--step"'],
  ['chat --key k Hi', 'option "--key" requires "--endpoint".'],
  ['chat --step 3 Hi', 'option "--step" requires "--job".'],
  ['data check --limit 101', ''],
  [
    'init --template poems',
    'option "--template" must be task, triage, redaction, translate or blank, not "poems".',
  ],
  ['link acme', ''],
  ['completion csh', 'expected bash, zsh or fish, not "csh".'],
  ['api JUMP /api/jobs', ''],
  ['api GET api/jobs', ''],
  ['api GET', ''],
  ['api GET http://evil.com/', ''],
  ['api GET /api/jobs --data {}', 'GET does not take "--data".'],
  ['dev --port x', ''],
  ['dev --port=-1', ''],
  ['dev --port 4000.5', ''],
  ['doctor --ray', 'The local cloud uses no Ray cluster'],
  ['doctor --ray head:8265', 'must be the URL of a Ray dashboard'],
  ['doctor http://head:8265', 'A URL can only be used with --ray'],
  ['doctor --ray-token-file x', '--ray-token-file can only be used with --ray'],
  ...['http://cloud.example', 'ftp://cloud.example', 'cloud'].map((url): [string, string] => [
    `doctor --ray http://head:8265 --advertise-url ${url}`,
    '--advertise-url must start with https://',
  ]),
  ...['', ' --foreground'].flatMap((where): [string, string][] => [
    [`${START}${where} --oauth-issuer https://id.test`, 'must be used together'],
    [`${START}${where} --oauth-audience api`, 'must be used together'],
    [`${START}${where} --oauth-issuer http://id.test --oauth-audience api`, 'must start with https://'],
    [`${START}${where} --oauth-issuer id.test --oauth-audience api`, 'must start with https://'],
    [`${START}${where} --host 0.0.0.0`, '--tls-cert'],
    [`${START}${where} --host 0.0.0.0 --behind-proxy`, '--domain'],
    [`${START}${where} --domain c.example`, '--tls-cert'],
    [`${START}${where} --tls-cert x.pem`, '--tls-key must be used together'],
    [`${START}${where} --port 0`, 'from 1 to 65535'],
    [`${START}${where} --port http`, 'not "http"'],
    [`${START}${where} --port 4190`, '--port cannot be 4190: browsers and fetch refuse to call it.'],
    [`${START}${where} --concurrency 1.5`, 'from 1 to 64'],
    [`${START}${where} --memory 4`, 'must be a size such as 4GB or 512MB, not "4"'],
    [`${START}${where} --base-weights int4`, 'must be auto, f32, f16, int8 or nf4, not "int4"'],
    [`${START}${where} --base-weights nf4`, '--base-weights nf4 needs --torch or --ray'],
    [`${START}${where} --base-weights f16`, '--base-weights f16 needs --device gpu'],
    [`${START}${where} --base-weights f16 --device cpu`, '--base-weights f16 needs --device gpu'],
    [
      `${START}${where} --base-weights f16 --ray http://head:8265`,
      'cannot be combined with --torch or --ray',
    ],
    [`${START}${where} --device tpu`, '--device must be auto, cpu or gpu, not "tpu"'],
    [
      `${START}${where} --device gpu --base-weights int8`,
      '--base-weights int8 cannot be combined with --device gpu',
    ],
    [`${START}${where} --device gpu --ray http://head:8265`, '--device cannot be combined with --ray'],
    [`${START}${where} --anonymous --no-anonymous`, 'cannot be combined with --no-anonymous'],
    [`${START}${where} --store-for 48 --no-store`, 'cannot be combined with --no-store'],
  ]),
])('svc %s is refused: %s', (line, complaint) =>
  expectRefused(typeof line === 'string' ? line.split(' ') : line, complaint),
);

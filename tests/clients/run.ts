// `npm run clients`: programs that people have, with base URL and key changed, call a real cloud with the bundled model, and
// one with the model that `SVC_TEST_MODEL` names. They are installed into a temporary folder, or into the one named by
// `--folder`, where a second run finds them. If all calls pass, `--write` writes the table of docs/openai.md.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import type { CloudFile } from '../../lib/contract/index.js';
import { askProgram, type ProgramOptions, runProgram, startProgram } from '../support/program.js';
import { repositoryRoot } from '../support/repository-root.js';
import { type Client, renderTable, withTable } from './client.js';
import { CLIENTS } from './clients.js';
import { installClients } from './install.js';
import { versionOf } from './packages.js';

const CLIENT_TIMEOUT_MS = 10 * 60_000;
const SUFFIXES = { node: 'mjs', sh: 'sh', python: 'py' };

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    only: { type: 'string', multiple: true },
    write: { type: 'boolean' },
    'no-bundled': { type: 'boolean' },
  },
});
const folder = values.folder ? resolve(values.folder) : await mkdtemp(join(tmpdir(), 'svc-clients-'));
const chosen = CLIENTS.filter(({ name }) => values.only?.some(part => name.includes(part)) ?? true);
const models = [...(values['no-bundled'] ? [] : [undefined]), ...[process.env.SVC_TEST_MODEL ?? []].flat()];
let failures = 0;
try {
  await installClients(folder);
  for (const model of models) await callCloud(model);
  console.log(failures === 0 ? 'All calls passed.' : `${failures} calls failed.`);
  if (failures > 0) process.exitCode = 1;
  else if (values.write) await writeTable();
} finally {
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true });
}

async function callCloud(model: string | undefined): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'svc-clients-cloud-'));
  const place: ProgramOptions = { cwd: join(home, 'project'), env: { SVC_HOME: join(home, '.svc') } };
  try {
    await mkdir(place.cwd);
    await runProgram(['cloud', 'start', ...(model === undefined ? [] : ['--base-model', model])], place);
    const env = await openProject(home, place);
    console.log(`\n${env.MODEL} at ${env.OPENAI_BASE_URL}`);
    for (const client of chosen) {
      const calls = { ...client.calls, ...(model !== undefined && client.callsInLongContext) };
      await callWith({ ...client, calls }, home, env);
    }
  } finally {
    await startProgram(['cloud', 'stop'], place).ended;
    await rm(home, { recursive: true, force: true });
  }
}

/** What the scripts find in their environment. */
async function openProject(home: string, place: ProgramOptions): Promise<Record<string, string>> {
  const issue = ['keys', 'issue', '--project', '--label', 'clients'];
  const { key } = await askProgram<{ key: { plaintext: string } }>(issue, place);
  const { url } = JSON.parse(await readFile(join(home, '.svc/cloud/cloud.json'), 'utf8')) as CloudFile;
  const headers = { authorization: `Bearer ${key.plaintext}` };
  const models = await fetch(`${url}/openai/v1/models`, { headers });
  const { data } = (await models.json()) as { data: [{ id: string }] };
  return {
    OPENAI_BASE_URL: `${url}/openai/v1`,
    OPENAI_API_KEY: key.plaintext,
    ANTHROPIC_BASE_URL: `${url}/openai`,
    ANTHROPIC_API_KEY: key.plaintext,
    MODEL: data[0].id,
  };
}

async function callWith(client: Client, home: string, env: Record<string, string>): Promise<void> {
  const place = await mkdtemp(join(home, 'calls-'));
  const kind = client.runtime.startsWith('python') ? 'python' : (client.runtime as 'node' | 'sh');
  // Node looks for packages in the folders above a script.
  const scripts = kind === 'node' ? await mkdtemp(join(folder, 'node/calls-')) : place;
  const results = join(place, 'results');
  await writeFile(results, '');
  const calls = new Map<string, string>();
  for (const [call, script] of Object.entries(client.calls)) {
    const path = join(scripts, `${calls.size}.${SUFFIXES[kind]}`);
    await writeFile(path, `${client.setup}\n${script}`);
    calls.set(path, call);
  }
  const [program, harness] = {
    node: [process.execPath, 'harness.mjs'],
    sh: ['sh', 'harness.sh'],
    python: [join(folder, client.runtime, 'bin/python'), 'harness.py'],
  }[kind] as [string, string];
  const running = promisify(execFile)(program, [join(folder, harness), results, ...calls.keys()], {
    cwd: place,
    env: { ...environment(place), ...env },
    timeout: CLIENT_TIMEOUT_MS,
    maxBuffer: 1 << 26,
  });
  running.child.stdin!.end();
  // What failed is in the results; a call that has none ended the process.
  const { stdout, stderr } = await running.catch(error => error as { stdout: string; stderr: string });
  const found = (await readFile(results, 'utf8')).split('\n').filter(line => line !== '');
  const problems = new Map(
    found.map(line => {
      const { script, problem } = JSON.parse(line) as { script: string; problem: string | null };
      return [script, problem];
    }),
  );
  for (const [script, call] of calls) {
    const problem = problems.has(script) ? problems.get(script)! : `It did not end.\n${stdout}\n${stderr}`;
    console.log(`${problem === null ? 'passed' : 'FAILED'}  ${client.name}: ${call}`);
    if (problem === null) continue;
    failures += 1;
    console.log(problem.trimEnd().replaceAll(/^/gm, '        '));
  }
  if (scripts !== place) await rm(scripts, { recursive: true });
}

/** Clients keep their files in a folder of ours, report nothing, and reach no other machine: the guards see to it, and proxies that are not there. */
function environment(home: string): Record<string, string> {
  const programs = ['python/bin', 'python-command/bin'].map(path => join(folder, path));
  return {
    PATH: [...programs, process.env.PATH].join(delimiter),
    HOME: home,
    PYTHONPATH: join(folder, 'guard'),
    PYTHONDONTWRITEBYTECODE: '',
    NODE_OPTIONS: `--import=${join(folder, 'guard/guard.mjs')}`,
    HTTPS_PROXY: 'http://127.0.0.1:9',
    HTTP_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: 'localhost,127.0.0.1',
    DO_NOT_TRACK: '1',
    ANONYMIZED_TELEMETRY: 'false',
    HAYSTACK_TELEMETRY_ENABLED: 'False',
    HF_HUB_DISABLE_TELEMETRY: '1',
    HF_HUB_OFFLINE: '1',
    LANGSMITH_TRACING: 'false',
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    MASTRA_TELEMETRY_DISABLED: '1',
    OPENAI_AGENTS_DISABLE_TRACING: '1',
  };
}

async function writeTable(): Promise<void> {
  const path = join(repositoryRoot, 'docs/openai.md');
  await writeFile(path, withTable(await readFile(path, 'utf8'), renderTable(CLIENTS, versionOf)));
}

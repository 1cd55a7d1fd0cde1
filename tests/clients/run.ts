// `npm run clients`: programs that people have, with base URL and key changed, call a real cloud with the bundled model, and
// one with the model that `SVC_TEST_MODEL` names. They are installed into a temporary folder, or into the one named by
// `--folder`, where a second run finds them. Answers of each kind are held against the types of those for Python. `--only NAME`
// picks clients, `--no-bundled` leaves out the bundled model. If all calls pass, `--write` writes the table of docs/openai.md.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { CloudFile, Deployment } from '../../lib/contract/index.js';
import { askProgram, type ProgramOptions, runProgram, startProgram } from '../support/program.js';
import { repositoryRoot } from '../support/repository-root.js';
import { callWith, type Place } from './call.js';
import { FIRST_EXAMPLE, renderTable, withTable } from './client.js';
import { CLIENTS } from './clients.js';
import { installClients } from './install.js';
import { versionOf } from './packages.js';

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
if (chosen.length === 0) throw new Error(`No client is called ${values.only}.`);
let failures = 0;
try {
  await installClients(folder);
  if (!values.only) checkTypes();
  for (const model of models) await callCloud(model);
  console.log(failures === 0 ? 'All calls passed.' : `${failures} calls failed.`);
  if (failures > 0) process.exitCode = 1;
  else if (values.write) await writeTable();
} finally {
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true });
}

/** As `npm test` does where a Python has the clients. */
function checkTypes(): void {
  const vitest = join(repositoryRoot, 'node_modules/vitest/vitest.mjs');
  const test = 'tests/cloud/project-api/official-types.test.ts';
  const env = { ...process.env, SVC_PYTHON: join(folder, 'python/bin/python') };
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--mode', 'built', test], {
    cwd: repositoryRoot,
    stdio: 'inherit',
    env,
  });
  if (status !== 0) failures++;
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
      const calls = { ...client.calls, ...(model !== undefined && client.callsOfLargerModels) };
      failures += await callWith({ ...client, calls }, { folder, home, env });
    }
    // They set no limit, so a larger model would take its time.
    if (model === undefined)
      failures += await callEndpoint({ folder, home, env: await openEndpoint(place, env.MODEL!) });
  } finally {
    await startProgram(['cloud', 'stop'], place).ended;
    await rm(home, { recursive: true, force: true });
  }
}

/** How many first examples failed. */
async function callEndpoint(place: Place): Promise<number> {
  let failed = 0;
  for (const { firstExample, ...client } of chosen) {
    if (firstExample === undefined) continue;
    failed += await callWith({ ...client, setup: '', calls: { [FIRST_EXAMPLE]: firstExample } }, place);
  }
  return failed;
}

/** What the scripts find in their environment. */
async function openProject(home: string, place: ProgramOptions): Promise<Record<string, string>> {
  const { url } = JSON.parse(await readFile(join(home, '.svc/cloud/cloud.json'), 'utf8')) as CloudFile;
  const key = await issueKey('--project', place);
  const models = await fetch(`${url}/openai/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await models.json()) as { data: [{ id: string }] };
  return { ...environmentOf(`${url}/openai`, key), MODEL: data[0].id };
}

async function openEndpoint(place: ProgramOptions, model: string): Promise<Record<string, string>> {
  const create = [
    'endpoints',
    'create',
    'first',
    '--base-model',
    model,
    '--operations',
    'responses,messages',
  ];
  const { deployment } = await askProgram<{ deployment: Deployment }>(create, place);
  return environmentOf(deployment.pathUrl!, await issueKey('first', place));
}

async function issueKey(owner: string, place: ProgramOptions): Promise<string> {
  const issue = ['keys', 'issue', owner, '--label', 'clients'];
  return (await askProgram<{ key: { plaintext: string } }>(issue, place)).key.plaintext;
}

function environmentOf(base: string, key: string): Record<string, string> {
  return {
    OPENAI_BASE_URL: `${base}/v1`,
    OPENAI_API_KEY: key,
    ANTHROPIC_BASE_URL: base,
    ANTHROPIC_API_KEY: key,
  };
}

async function writeTable(): Promise<void> {
  const path = join(repositoryRoot, 'docs/openai.md');
  await writeFile(path, withTable(await readFile(path, 'utf8'), renderTable(CLIENTS, versionOf)));
}

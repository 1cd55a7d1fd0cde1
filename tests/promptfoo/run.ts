// `npm run promptfoo`: promptfoo, which is too large to be among this project's packages, evaluates a real local cloud
// through its OpenAI-compatible API. It is installed into a temporary folder; nothing it does may leave this machine.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CloudFile } from '../../lib/contract/index.js';
import { askProgram, type ProgramOptions, startProgram } from '../support/program.js';
import { evaluationOf } from './evaluation.js';

/** The last that runs on Node 20. */
const VERSION = '0.121.20';

interface Results {
  results: {
    results: {
      success: boolean;
      error?: string;
      provider: { label: string };
      response?: { output?: unknown };
    }[];
  };
}

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'svc-promptfoo-'));
const place: ProgramOptions = { cwd: join(folder, 'project'), env: { SVC_HOME: join(folder, '.svc') } };
try {
  await mkdir(place.cwd);
  await install();
  await evaluate();
} finally {
  await startProgram(['cloud', 'stop'], place).ended;
  await rm(folder, { recursive: true, force: true });
}

/** Without its optional packages, which are for other providers; but it always opens a database. */
async function install(): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const npm = (name: string) =>
    run('npm', ['install', name, '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
    });
  await npm(`promptfoo@${VERSION}`);
  const libsql = await readJson<{ version: string }>('node_modules/libsql/package.json');
  const { platform, arch } = process;
  await npm(`@libsql/${platform}-${arch}${platform === 'linux' ? '-gnu' : ''}@${libsql.version}`);
}

async function evaluate(): Promise<void> {
  const { key } = await askProgram<{ key: { plaintext: string } }>(
    ['keys', 'issue', '--project', '--label', 'promptfoo'],
    place,
  );
  const { url } = await readJson<CloudFile>('.svc/cloud/cloud.json');
  const baseUrl = `${url}/openai/v1`;
  const authorization = `Bearer ${key.plaintext}`;
  const models = await fetch(`${baseUrl}/models`, { headers: { authorization } });
  const { data } = (await models.json()) as { data: [{ id: string }] };
  const evaluation = evaluationOf(data[0].id);
  await writeFile(join(folder, 'evaluation.json'), JSON.stringify(evaluation));
  const entry = join(folder, 'node_modules/promptfoo/dist/src/entrypoint.js');
  const options = ['--no-cache', '--no-write', '--no-table', '--no-progress-bar', '--max-concurrency', '2'];
  const { stderr } = await run(
    process.execPath,
    [entry, 'eval', '--config', 'evaluation.json', '--output', 'results.json', ...options],
    { cwd: folder, env: environment(baseUrl, key.plaintext), timeout: 180_000 },
    // A failed assertion is an exit code; what failed is in the results.
  ).catch(error => ({ stderr: String(error.stderr ?? error) }));
  const { results } = await readJson<Results>('results.json').catch(() => {
    throw new Error(`promptfoo wrote no results: ${stderr}`);
  });
  report(
    results.results,
    evaluation.tests.flatMap(({ providers }) => providers),
  );
}

function report(results: Results['results']['results'], expected: readonly string[]): void {
  for (const label of expected) {
    const found = results.filter(({ provider }) => provider.label === label);
    const hasPassed = found.length === 1 && found[0]!.success;
    console.log(`${hasPassed ? 'passed' : 'FAILED'}  ${label}`);
    if (hasPassed) continue;
    console.log(found.map(({ error, response }) => JSON.stringify({ error, response })).join('\n'));
    process.exitCode = 1;
  }
}

/** Whatever it might want to fetch from elsewhere goes to a proxy that is not there. */
function environment(baseUrl: string, apiKey: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    OPENAI_BASE_URL: baseUrl,
    OPENAI_API_KEY: apiKey,
    PROMPTFOO_CONFIG_DIR: join(folder, 'settings'),
    PROMPTFOO_DISABLE_TELEMETRY: '1',
    PROMPTFOO_DISABLE_UPDATE: '1',
    PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    HTTP_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: 'localhost,127.0.0.1',
  };
}

async function readJson<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(join(folder, name), 'utf8')) as T;
}

// Runs the scripts of a client in a process of their own, and prints which passed.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from './client.js';

const CLIENT_TIMEOUT_MS = 10 * 60_000;

export interface Place {
  /** Where the clients are installed. */
  folder: string;
  /** Where they may leave files. */
  home: string;
  /** What the scripts find in their environment. */
  env: Record<string, string>;
}

/** How many calls failed. */
export async function callWith(client: Client, { folder, home, env }: Place): Promise<number> {
  const cwd = await mkdtemp(join(home, 'calls-'));
  // Node looks for packages in the folders above a script.
  const scripts = client.environment === 'node' ? await mkdtemp(join(folder, 'node/calls-')) : cwd;
  const [program, harness, suffix] = runnerOf(client, folder);
  const calls = await writeScripts(client, scripts, suffix);
  const results = join(cwd, 'results');
  await writeFile(results, '');
  const running = promisify(execFile)(program, [join(folder, harness), results, ...calls.keys()], {
    cwd,
    env: { ...environment(cwd, folder, client), ...env },
    timeout: CLIENT_TIMEOUT_MS,
    maxBuffer: 1 << 26,
  });
  running.child.stdin!.end();
  // What failed is in the results; a call that has none ended the process.
  const { stdout, stderr } = await running.catch(error => error as { stdout: string; stderr: string });
  const ended = readResults(await readFile(results, 'utf8'));
  let failures = 0;
  for (const [script, call] of calls) {
    const { problem, seconds } = ended.get(script) ?? {
      problem: `It did not end.\n${stdout}\n${stderr}`,
      seconds: CLIENT_TIMEOUT_MS / 1000,
    };
    const time = `${seconds.toFixed(1)} s`.padStart(7);
    console.log(`${problem === null ? 'passed' : 'FAILED'} ${time}  ${client.name}: ${call}`);
    if (problem === null) continue;
    failures += 1;
    console.log(problem.trimEnd().replaceAll(/^/gm, '        '));
  }
  if (scripts !== cwd) await rm(scripts, { recursive: true });
  return failures;
}

function runnerOf(
  { inShell, environment }: Client,
  folder: string,
): [program: string, harness: string, suffix: string] {
  if (inShell) return ['sh', 'harness.sh', 'sh'];
  if (environment === 'node') return [process.execPath, 'harness.mjs', 'mjs'];
  return [join(folder, environment, 'bin/python'), 'harness.py', 'py'];
}

/** The call of each script. */
async function writeScripts(
  { calls, setup }: Client,
  folder: string,
  suffix: string,
): Promise<Map<string, string>> {
  const scripts = new Map<string, string>();
  for (const [call, script] of Object.entries(calls)) {
    const path = join(folder, `${scripts.size}.${suffix}`);
    await writeFile(path, `${setup}\n${script}`);
    scripts.set(path, call);
  }
  return scripts;
}

interface Result {
  script: string;
  /** Null if it passed. */
  problem: string | null;
  seconds: number;
}

/** By script. */
function readResults(text: string): Map<string, Result> {
  const lines = text.split('\n').filter(line => line !== '');
  return new Map(lines.map(line => JSON.parse(line) as Result).map(result => [result.script, result]));
}

/** Clients report nothing, and reach no other machine: the guards see to it, and proxies that are not there. */
function environment(home: string, folder: string, client: Client): Record<string, string> {
  return {
    PATH: [join(folder, client.environment, 'bin'), process.env.PATH].join(delimiter),
    HOME: home,
    PYTHONPATH: join(folder, 'guard'),
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
